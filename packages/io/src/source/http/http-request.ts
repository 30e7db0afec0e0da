// One request to the server of an object: sent, watched, and its answer checked.
import { IoError } from '../../errors/errors.ts';
import { messageOf } from '../../errors/system-error.ts';
import { dropBody } from './http-response.ts';

export interface Remote {
  readonly url: URL;
  readonly fetch: typeof fetch;
  readonly ownFetch: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly downloadLimit: number;
}

export interface Asked {
  /** GET by default. */
  readonly method?: 'GET' | 'HEAD';
  /** `range` and conditions, beside the headers of the user. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends one request and hands its answer to `use`; a server that is silent for too long, an abort and a close end both.
 */
export async function request<T>(
  remote: Remote,
  { method = 'GET', headers }: Asked,
  signals: readonly AbortSignal[],
  use: (response: Response, progress: () => void) => Promise<T>,
): Promise<T> {
  const path = remote.url.href;
  const silence = new AbortController();
  const arm = (): ReturnType<typeof setTimeout> => setTimeout(() => silence.abort(), remote.timeoutMs);
  let timer = arm();
  const progress = (): void => {
    clearTimeout(timer);
    timer = arm();
  };
  try {
    // With a range, fetch itself asks for the plain bytes (accept-encoding: identity).
    // Browsers keep parts of objects, and might mix those of two versions.
    const init: RequestInit & { cache: 'no-store' } = {
      method,
      headers: { ...remote.headers, ...headers },
      cache: 'no-store',
      signal: AbortSignal.any([...signals, silence.signal]),
    };
    // Browsers demand that fetch is called as a function, not as a method.
    const { fetch: send } = remote;
    const response = await send(remote.url, init);
    progress();
    try {
      return await use(response, progress);
    } finally {
      if (!response.bodyUsed) dropBody(response);
    }
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted();
    if (error instanceof IoError) throw error;
    const silent = silence.signal.aborted ? `no byte for ${String(remote.timeoutMs)} ms` : null;
    throw new IoError('ERR_READ', 'read', path, silent ?? reasonOf(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws IoError unless the answer is a part of an object as it is stored. */
export function checkPartial(response: Response, path: string): void {
  const { status } = response;
  if (status === 404 || status === 410)
    throw new IoError('ERR_NOT_FOUND', 'open', path, `the server answers ${String(status)}`);
  if (status === 200) throw rangeError(path, 'the server ignores ranges: it sends the whole object (status 200)');
  if (status === 416) throw rangeError(path, 'the server cannot satisfy the range (status 416)');
  if (status !== 206)
    throw new IoError('ERR_READ', 'read', path, `the server answers ${String(status)} ${response.statusText}`.trim());
  const encoding = response.headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity')
    throw rangeError(path, `the server compresses the answer (${encoding})`);
}

export function rangeError(path: string, message: string): IoError {
  return new IoError('ERR_REMOTE_RANGE', 'read', path, message);
}

export function describeRange(response: Response): string {
  const header = response.headers.get('content-range');
  return header === null
    ? 'no Content-Range header; for another origin the server must list it in Access-Control-Expose-Headers'
    : `Content-Range: ${header}`;
}

/** fetch says 'fetch failed' and keeps the reason in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
}
