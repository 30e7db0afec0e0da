// What writes a file with statistics. In builds for browsers it is loaded when it is asked for.
export { fillFile } from './fill-file.ts';
