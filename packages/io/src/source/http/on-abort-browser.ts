// onAbort for browsers, where `AbortSignal.any` leaves nothing at its signals.

/** As `onAbort` of Node. */
export function onAbort(signals: readonly AbortSignal[], call: (reason: unknown) => void): () => void {
  const signal = AbortSignal.any(signals as AbortSignal[]);
  const told = (): void => call(signal.reason);
  if (signal.aborted) told();
  else signal.addEventListener('abort', told);
  return () => signal.removeEventListener('abort', told);
}
