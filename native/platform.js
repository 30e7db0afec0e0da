// The name of this platform among those that have a prebuilt binary (platforms.js).
import { closeSync, openSync, readSync } from 'node:fs';

/** `linux-x64-musl`, `darwin-arm64` and the like. */
export function platformName() {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === 'linux' ? `${name}-${usesMusl() ? 'musl' : 'gnu'}` : name;
}

/**
 * Which C library this Node was linked with: its own file names the dynamic linker in its first bytes (ELF's
 * PT_INTERP).
 */
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
