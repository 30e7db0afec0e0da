// What opening an object takes beyond the usual: of a server that knows no ranges, and of one that hides from a page of
// another origin what it says. Loaded when such a server answers.
import { warn } from '../../errors/warn.ts';
import { newArrayBuffer } from '../../memory/align.ts';
import { isCount } from '../../values/integers.ts';
import { describeRange, rangeError } from './http-request.ts';
import type { Remote } from './http-request.ts';
import { bodyReader } from './http-response.ts';
import { request } from './http-retry.ts';

/** The last bytes, of an answer that does not tell its range: fewer than `most` are all that there are. */
export async function tailOf(
  response: Response,
  most: number,
  path: string,
  progress: () => void,
): Promise<Uint8Array> {
  const tail = await readAtMost(response, most, progress);
  if (tail !== null) return tail;
  throw rangeError(path, `more than the bytes that were asked for (${describeRange(response)})`);
}

const HOW_TO_REFUSE = '{ downloadLimit: 0 } refuses that.';

function told(byteLength: number): string {
  return `the server knows no ranges, so that all ${String(byteLength)} bytes were loaded at opening`;
}

/** All bytes, with a warning. @throws IoError ERR_REMOTE_RANGE where that is more than `downloadLimit`. */
export async function wholeBody(remote: Remote, response: Response, progress: () => void): Promise<Uint8Array> {
  const { downloadLimit, path } = remote;
  const announced = Number(response.headers.get('content-length') ?? 0);
  const bytes = announced > downloadLimit ? null : await readAtMost(response, downloadLimit, progress);
  if (bytes !== null) {
    if (bytes.byteLength > 0) warn('COLKIT_NO_RANGES', `${path}: ${told(bytes.byteLength)}`, HOW_TO_REFUSE);
    return bytes;
  }
  const size = announced > downloadLimit ? `${String(announced)} bytes` : `more than ${String(downloadLimit)} bytes`;
  const refused = `${size}, more than the downloadLimit of ${String(downloadLimit)}`;
  throw rangeError(path, `the server ignores ranges: it sends the whole object (status 200), ${refused}`);
}

/**
 * The size by a HEAD, whose Content-Length pages of every origin may see. It can be that of a compressed answer, which
 * they cannot see: so the last byte is asked for, from there to the end.
 */
export async function askedSize(remote: Remote, least: number, signals: readonly AbortSignal[]): Promise<number> {
  const path = remote.path;
  const hidden = 'the answer to a page of another origin does not tell its range, and a HEAD does not tell the size';
  const remedy = 'the server should list Content-Range in Access-Control-Expose-Headers';
  const byteLength = await request(
    remote,
    () => ({ method: 'HEAD', headers: {} }),
    signals,
    (response) => {
      const length = Number(response.headers.get('content-length') ?? -1);
      if (response.status !== 200 || !isCount(length) || length < least)
        throw rangeError(path, `${hidden} (status ${String(response.status)}); ${remedy}`);
      return Promise.resolve(length);
    },
  );
  await request(
    remote,
    () => ({ headers: { range: `bytes=${String(byteLength - 1)}-` } }),
    signals,
    async (response, progress) => {
      const last = response.status === 206 ? await readAtMost(response, 1, progress) : null;
      if (last?.byteLength !== 1) throw rangeError(path, `${hidden} rightly (${String(byteLength)}); ${remedy}`);
    },
  );
  return byteLength;
}

/** A body whose size nobody told, or null where it is larger than `limit`; the rest of it is let go. */
async function readAtMost(
  response: Response,
  limit: number,
  onProgress: () => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = bodyReader(response);
  try {
    for (;;) {
      const value = (await reader?.read())?.value;
      if (value === undefined) break;
      onProgress();
      length += value.byteLength;
      if (length > limit) return null;
      parts.push(value);
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
  const bytes = new Uint8Array(newArrayBuffer(length));
  let done = 0;
  for (const part of parts) {
    bytes.set(part, done);
    done += part.byteLength;
  }
  return bytes;
}
