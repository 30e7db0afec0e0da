// What may take so long, and then ends with an error that says so.
import type { Purpose } from './failure.ts';
import { failed } from './failure.ts';

/** What `use` gives; after `ms` its last signal aborts with an error that says so. */
export async function within<T>(
  ms: number | null,
  purpose: Purpose,
  signals: readonly AbortSignal[],
  use: (signals: readonly AbortSignal[]) => Promise<T>,
): Promise<T> {
  if (ms === null) return use(signals);
  const total = new AbortController();
  const timer = setTimeout(() => {
    total.abort(failed(purpose, `not done within totalTimeoutMs (${String(ms)} ms)`));
  }, ms);
  try {
    return await use([...signals, total.signal]);
  } finally {
    clearTimeout(timer);
  }
}
