// The first requests to an object: its size, its version and its last bytes. One request where the server knows suffix
// ranges and tells them; more where it does not, or hides from a page of another origin what it says; the whole object
// where it knows no ranges at all.
import { newArrayBuffer } from '../../memory/align.ts';
import { checkPartial, describeRange, rangeError } from './http-request.ts';
import type { Remote, Use } from './http-request.ts';
import { request } from './http-retry.ts';
import { contentRangeOf, readBody, validatorsOf } from './http-response.ts';
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
const FIRST_BYTE = 'bytes=0-0';
/** Answers to a suffix range that say no more than that the server does not know suffix ranges. */
const TRY_FIRST_BYTE = new Set([200, 400, 416, 501]);

export async function openObject(remote: Remote, signals: readonly AbortSignal[]): Promise<Opened> {
  const byFirstByte: Use<Opened> = (response, progress) => openedByFirstByte(remote, response, progress);
  let byTail = true;
  const found = await request(
    remote,
    (failed) => {
      // Servers that fail over a suffix range longer than the object (Next's answers 500) are asked in the other way.
      byTail = failed !== 500;
      return { headers: { range: byTail ? `bytes=-${String(TAIL_BYTES)}` : FIRST_BYTE } };
    },
    signals,
    (response, progress) => (byTail ? openedByTail(remote, response, progress) : byFirstByte(response, progress)),
  );
  if (found === null) return request(remote, () => ({ headers: { range: FIRST_BYTE } }), signals, byFirstByte);
  if (found.byteLength >= 0) return found;
  const { askedSize } = await import('./http-odd-servers.ts');
  return { ...found, byteLength: await askedSize(remote, TAIL_BYTES, signals) };
}

/** Null: ask again in another way. A size of -1: the answer is right and does not tell it. */
async function openedByTail(remote: Remote, response: Response, progress: () => void): Promise<Opened | null> {
  const path = remote.path;
  const content = contentRangeOf(response);
  if (response.status === 416 && content?.total === 0) return openedAs(response, 0, new Uint8Array(0));
  if (TRY_FIRST_BYTE.has(response.status)) return null;
  checkPartial(response, path);
  if (response.headers.get('content-range') === null) {
    const { tailOf } = await import('./http-odd-servers.ts');
    const tail = await tailOf(response, TAIL_BYTES, path, progress);
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
  const path = remote.path;
  const content = contentRangeOf(response);
  if (response.status === 416 && content?.total === 0) return openedAs(response, 0, new Uint8Array(0));
  if (response.status === 200) {
    const { wholeBody } = await import('./http-odd-servers.ts');
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
