// The first requests to an object: its size, its version and its last bytes. One request where the server knows suffix
// ranges and tells them; more where it does not, or hides from a page of another origin what it says; the whole object
// where it knows no ranges at all.
import { newArrayBuffer } from '../memory/align.ts';
import { isCount } from '../values/integers.ts';
import { checkPartial, describeRange, rangeError, request } from './http-request.ts';
import type { Remote } from './http-request.ts';
import { contentRangeOf, readAtMost, readBody, validatorsOf } from './http-response.ts';
import type { Validators } from './http-response.ts';

export interface Opened {
  readonly byteLength: number;
  readonly validators: Validators;
  /** The last bytes; all of them where the server knows no ranges. */
  readonly tail: Uint8Array;
  /** Whether answers tell their range. */
  readonly tellsRanges: boolean;
  /** Whether the server ignored ranges, so that everything was loaded. */
  readonly isWhole: boolean;
}

/**
 * How much of the end is asked for at opening: footers of a few hundred columns fit, and it costs no more than one byte
 * would.
 */
const TAIL_BYTES = 64 * 1024;
/** Answers to a suffix range that say no more than that the server does not know suffix ranges. */
const TRY_FIRST_BYTE = new Set([200, 400, 416, 501]);

export async function openObject(remote: Remote, signals: readonly AbortSignal[]): Promise<Opened> {
  const found = await request(remote, ranged(`bytes=-${String(TAIL_BYTES)}`), signals, (response, progress) =>
    openedByTail(remote, response, progress),
  );
  if (found === null)
    return request(remote, ranged('bytes=0-0'), signals, (response, progress) =>
      openedByFirstByte(remote, response, progress),
    );
  if (found.byteLength >= 0) return found;
  return { ...found, byteLength: await askedSize(remote, signals) };
}

function ranged(range: string): { headers: Record<string, string> } {
  return { headers: { range } };
}

/** Null: ask again in another way. A size of -1: the answer is right and does not tell it. */
async function openedByTail(remote: Remote, response: Response, progress: () => void): Promise<Opened | null> {
  const path = remote.url.href;
  const content = contentRangeOf(response);
  if (response.status === 416 && content?.total === 0) return openedAs(response, 0, new Uint8Array(0));
  if (TRY_FIRST_BYTE.has(response.status)) return null;
  checkPartial(response, path);
  if (response.headers.get('content-range') === null) {
    const tail = await readAtMost(response, TAIL_BYTES, progress);
    if (tail === null) throw rangeError(path, `more than the bytes that were asked for (${describeRange(response)})`);
    const byteLength = tail.byteLength < TAIL_BYTES ? tail.byteLength : -1;
    return { ...openedAs(response, byteLength, tail), tellsRanges: false };
  }
  if (content?.range == null || content.total === null)
    throw rangeError(path, `the size is not in the answer (${describeRange(response)})`);
  const { start, end } = content.range;
  if (end !== content.total || end - start !== Math.min(TAIL_BYTES, content.total)) return null;
  const tail = new Uint8Array(newArrayBuffer(end - start));
  await readBody(response, tail, path, progress);
  return openedAs(response, content.total, tail);
}

async function openedByFirstByte(remote: Remote, response: Response, progress: () => void): Promise<Opened> {
  const path = remote.url.href;
  const content = contentRangeOf(response);
  if (response.status === 416 && content?.total === 0) return openedAs(response, 0, new Uint8Array(0));
  if (response.status === 200) {
    const tail = await wholeBody(remote, response, progress);
    return { ...openedAs(response, tail.byteLength, tail), isWhole: true };
  }
  checkPartial(response, path);
  if (content?.total == null) throw rangeError(path, `the size is not in the answer (${describeRange(response)})`);
  return openedAs(response, content.total, new Uint8Array(0));
}

function openedAs(response: Response, byteLength: number, tail: Uint8Array): Opened {
  return { byteLength, validators: validatorsOf(response), tail, tellsRanges: true, isWhole: false };
}

/** @throws IoError ERR_REMOTE_RANGE where that is more than `downloadLimit`. */
async function wholeBody(remote: Remote, response: Response, progress: () => void): Promise<Uint8Array> {
  const { downloadLimit, url } = remote;
  const announced = Number(response.headers.get('content-length') ?? 0);
  const bytes = announced > downloadLimit ? null : await readAtMost(response, downloadLimit, progress);
  if (bytes !== null) return bytes;
  const size = announced > downloadLimit ? `${String(announced)} bytes` : `more than ${String(downloadLimit)} bytes`;
  throw rangeError(
    url.href,
    `the server ignores ranges: it sends the whole object (status 200), ${size}, more than the downloadLimit of ` +
      String(downloadLimit),
  );
}

/**
 * The size by a HEAD, whose Content-Length pages of every origin may see. It can be that of a compressed answer, which
 * they cannot see: so the last byte is asked for, from there to the end.
 */
async function askedSize(remote: Remote, signals: readonly AbortSignal[]): Promise<number> {
  const path = remote.url.href;
  const hidden = 'the answer to a page of another origin does not tell its range, and a HEAD does not tell the size';
  const remedy = 'the server should list Content-Range in Access-Control-Expose-Headers';
  const byteLength = await request(remote, { method: 'HEAD', headers: {} }, signals, (response) => {
    const length = Number(response.headers.get('content-length') ?? -1);
    if (response.status !== 200 || !isCount(length) || length < TAIL_BYTES)
      throw rangeError(path, `${hidden} (status ${String(response.status)}); ${remedy}`);
    return Promise.resolve(length);
  });
  await request(remote, ranged(`bytes=${String(byteLength - 1)}-`), signals, async (response, progress) => {
    const last = response.status === 206 ? await readAtMost(response, 1, progress) : null;
    if (last?.byteLength !== 1) throw rangeError(path, `${hidden} rightly (${String(byteLength)}); ${remedy}`);
  });
  return byteLength;
}
