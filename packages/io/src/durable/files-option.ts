// How tests hand a writer other files than the system's: on its options, where no user sees them.
import type { FileOperations } from '../effects/file-operations.ts';

const FILES = Symbol('files');

/** The same options for a writer that works on these files. Copies by spreading keep it. */
export function onFiles<const O extends object>(files: FileOperations, asked: O): O {
  return { ...asked, [FILES]: files };
}

/** Undefined: the system's. */
export function filesOf(asked: object): FileOperations | undefined {
  return (asked as { readonly [FILES]?: FileOperations })[FILES];
}
