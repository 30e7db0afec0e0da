// The public face of syrah in Node: what browsers have too, and files that are written and recovered.
export * from './browser.ts';
export type { WrittenFile } from './write/file-writer.ts';
export { recover, recoverSync } from './write/recover.ts';
export type { RecoverOptions, Recovery } from './write/recover.ts';
