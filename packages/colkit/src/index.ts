// The public face of colkit: what the command does to tell files apart, for programs that have to do so too. What reads
// and writes files is in colstore, columna and syrah.
export { identify } from './formats/identify.ts';
export type { FileFormat } from './formats/identify.ts';
export { backendInfo, isColkitError } from '@colkit/io';
export type { BackendInfo, ColkitErrorCode, Openable } from '@colkit/io';
