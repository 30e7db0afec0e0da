// A request that is tried again where that may mend it: with waits that grow, at random, so that many readers do not
// come back at once; and with another URL where this one has expired.
import { IoError } from '../../errors/errors.ts';
import { messageOf } from '../../errors/system-error.ts';
import { requestFailed } from './http-failure.ts';
import { FailedTry, sendOnce } from './http-request.ts';
import type { Asked, Remote, Use } from './http-request.ts';
import { pause, unlessAborted } from './http-waits.ts';

/**
 * Sends a request until its answer could be used. `use` can be called more than once.
 * @param asked is called for each try, with the status that the try before it ended with, where there was one.
 * @throws what `use` throws; IoError ERR_READ; what the signals tell.
 */
export async function request<T>(
  remote: Remote,
  asked: (failed?: number) => Asked,
  signals: readonly AbortSignal[],
  use: Use<T>,
): Promise<T> {
  const { attempts, baseMs, maxMs } = remote.retry;
  let mayRenew = remote.renew !== undefined;
  let failed: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const { url } = remote;
    try {
      return await sendOnce(remote, asked(failed), signals, use);
    } catch (failure) {
      if (!(failure instanceof FailedTry)) throw failure;
      const { error, status, waitMs } = failure;
      failed = status;
      const isRefused = status === 401 || status === 403;
      if (isRefused && mayRenew) {
        mayRenew = false;
        attempt--;
        await unlessAborted(renewed(remote, url, status), signals);
        continue;
      }
      if (isRefused || attempts === 1) throw error;
      if (attempt === attempts) throw worse(error, `in each of ${String(attempts)} attempts`);
      if (waitMs > maxMs) throw worse(error, `and asks to wait ${String(waitMs)} ms, longer than retry.maxMs`);
      await pause(waitMs + Math.random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1)), signals);
    }
  }
}

function worse(error: IoError, more: string): IoError {
  const text = error.message.slice(`${error.path}: ${error.operation}: `.length);
  return new IoError('ERR_READ', error.operation, error.path, `${text} (${more})`, error.cause);
}

/** Waits for another URL, which the first one asks for that finds this one refused. */
function renewed(remote: Remote, url: URL, status: number): Promise<void> {
  if (remote.url !== url) return Promise.resolve();
  if (remote.renewal?.of !== url) remote.renewal = { of: url, done: renewing(remote, url, status) };
  return remote.renewal.done;
}

async function renewing(remote: Remote, url: URL, status: number): Promise<void> {
  try {
    const given = await remote.renew?.({ url: url.href, status });
    if (!URL.canParse(String(given))) throw new Error('it gave no URL');
    remote.url = new URL(given as string | URL);
  } catch (error) {
    const why = `the server answers ${String(status)}; renew: ${messageOf(error)}`;
    throw requestFailed(remote.path, [url.href], why, error);
  } finally {
    remote.renewal = null;
  }
}
