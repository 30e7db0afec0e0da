// What opens and writes the formats of these packages, in a module of its own, which is loaded when one is met.
export { open as openColstore, write as writeColstore } from 'colstore';
export { open as openColumna, write as writeColumna } from 'columna';
