// What may take so long, and then ends with an error that says so.
import type { Purpose } from './failure.ts';
import { failed } from './failure.ts';

/** What `use` gives; after `ms` its signal aborts with an error that says so. */
export async function within<T>(
  ms: number | null,
  purpose: Purpose,
  given: readonly AbortSignal[],
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const total = new AbortController();
  const timer =
    ms === null
      ? undefined
      : setTimeout(() => total.abort(failed(purpose, `not done within totalTimeoutMs (${String(ms)} ms)`)), ms);
  try {
    return await use(AbortSignal.any([...given, total.signal]));
  } finally {
    clearTimeout(timer);
  }
}
