// onAbort for browsers, which warn of no number of listeners. Not by `AbortSignal.any`, which Safari before 17.4 and
// Firefox before 124 have not.

/** As `onAbort` of Node. */
export function onAbort(signals: readonly AbortSignal[], call: (reason: unknown) => void): () => void {
  // As options it has the signal that takes the listeners away.
  const stop = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) call(signal.reason);
    else signal.addEventListener('abort', () => call(signal.reason), stop);
  }
  return () => stop.abort();
}
