// Waiting that ends with an abort: for an answer of a user's function, for the next try, and for as long as a read may
// take.
import { IoError } from '../../errors/errors.ts';
import { onAbort } from './on-abort.ts';

/** What `use` gives; after `ms` its last signal aborts with an error that says so. */
export async function within<T>(
  ms: number | null,
  path: string,
  signals: readonly AbortSignal[],
  use: (signals: readonly AbortSignal[]) => Promise<T>,
): Promise<T> {
  if (ms === null) return use(signals);
  const total = new AbortController();
  const timer = setTimeout(() => {
    total.abort(new IoError('ERR_READ', 'read', path, `not done within totalTimeoutMs (${String(ms)} ms)`));
  }, ms);
  try {
    return await use([...signals, total.signal]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for so many milliseconds. @throws what one of the signals tells, at once. */
export async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await unlessAborted(over, signals);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws what a signal tells, at once. */
export async function unlessAborted<T>(what: Promise<T> | T, signals: readonly AbortSignal[]): Promise<T> {
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signals, reject);
  });
  // In a race even where it is lost: a failure that comes later is nobody's.
  return Promise.race([aborted, what]).finally(stop);
}

/** Milliseconds that `Retry-After` asks to wait: seconds, or a time, by the server's clock where told; 0: none. */
export function retryAfterMs({ headers }: Response): number {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Math.max(0, Date.parse(text) - now) || 0;
}
