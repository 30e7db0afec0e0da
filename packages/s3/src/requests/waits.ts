// Waiting that ends with an abort: for a server, and before the next try.
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

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** How long `Retry-After` asks to wait: seconds, or a time, by the server's clock where it tells it. */
export function waitOf({ headers }: Response): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Date.parse(text) - now) || 0;
}
