// The name of this platform among the prebuilt binaries.
import { closeSync, openSync, readSync } from 'node:fs';

/** `linux-x64-musl` and the like: the name of the folder in prebuilds/. */
export function platformTarget() {
  const target = `${process.platform}-${process.arch}`;
  return process.platform === 'linux' && usesMusl() ? `${target}-musl` : target;
}

/** Which C library this Node was linked with: its own file names the dynamic linker in its first bytes (ELF's PT_INTERP). */
function usesMusl() {
  let file;
  try {
    file = openSync(process.execPath, 'r');
    const head = Buffer.alloc(4096);
    const length = readSync(file, head, 0, head.length, 0);
    return head.subarray(0, length).includes('/ld-musl-');
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
