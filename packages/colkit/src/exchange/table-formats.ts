// What opens and writes the formats of these packages.
export { open as openColstore, write as writeColstore } from 'colstore';
export { open as openColumna, write as writeColumna } from 'columna';
