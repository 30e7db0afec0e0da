// The most memory that the process had since a mark, from the kernel's own counter where there is one (Linux);
// elsewhere nothing is measured.
import { readFileSync, writeFileSync } from 'node:fs';

/** Starts to count anew. */
export function markMemory(): number {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The peak is then that of the whole process: a rise is still one.
  }
  return peakBytes();
}

/** Since the mark; 0 where the system does not tell. */
export function peakBytes(): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
