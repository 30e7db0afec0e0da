// Small work on mapped memory is done on the calling thread, which takes less time than to wake another one. Where the
// memory is still on a slow disk that thread waits for it, and with it all that its event loop serves: after such a
// wait others do the work for a while.

/** What the work takes from memory is a fraction of that. */
const LONG_MS = 4;
/** Not done here again for so long. */
const PAUSE_MS = 1000;

let start = 0;
let since = -PAUSE_MS;
/** Pages that this process waited for, as far as it was asked. */
let faults: number | null = null;

/** Whether small work may be done on the calling thread; whoever does calls `doneAtOnce` behind it. */
export function mayDoAtOnce(): boolean {
  start = performance.now();
  return start - since >= PAUSE_MS;
}

/** Looks whether the work had to wait: it took long, and not for want of a processor. */
export function doneAtOnce(): void {
  if (faults !== null && performance.now() - start < LONG_MS) return;
  const { majorPageFault } = process.resourceUsage();
  if (faults !== null && majorPageFault > faults) since = start;
  faults = majorPageFault;
}
