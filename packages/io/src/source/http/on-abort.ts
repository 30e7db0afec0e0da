// Who is told when signals abort. Not by `AbortSignal.any`, of which Node keeps something for as long as the signals
// live: those of a source that stays open, or of a whole service. One listener a signal: Node warns of more than ten.
interface Followers {
  readonly calls: Set<(reason: unknown) => void>;
  readonly told: () => void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/** Calls back with the reason where one of the signals aborts, or has, until what it gives is called. */
export function onAbort(signals: readonly AbortSignal[], call: (reason: unknown) => void): () => void {
  for (const signal of signals) {
    if (signal.aborted) call(signal.reason);
    let followers = followed.get(signal);
    if (followers === undefined) {
      const calls = new Set<(reason: unknown) => void>();
      followers = { calls, told: () => calls.forEach((each) => each(signal.reason)) };
      followed.set(signal, followers);
      signal.addEventListener('abort', followers.told);
    }
    followers.calls.add(call);
  }
  return () => {
    for (const signal of signals) {
      const followers = followed.get(signal);
      followers?.calls.delete(call);
      if (followers?.calls.size !== 0) continue;
      signal.removeEventListener('abort', followers.told);
      followed.delete(signal);
    }
  };
}
