// One answer of an HTTP server to a range request: what its headers say, and its body into a buffer of the size that
// was announced.
import { IoError } from '../../errors/errors.ts';
import { isCount } from '../../values/integers.ts';

/**
 * `bytes <start>-<end>/<total>`; end is inclusive on the wire and exclusive here. Null numbers: the server does not
 * tell.
 */
interface ContentRange {
  readonly range: { readonly start: number; readonly end: number } | null;
  readonly total: number | null;
}

/** What names the version of an object: a strong or weak ETag, else the time of its last change. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

const CONTENT_RANGE = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i;

/** Null where the header is missing (or hidden by CORS) or says something else. */
export function contentRangeOf(response: Response): ContentRange | null {
  const match = CONTENT_RANGE.exec(response.headers.get('content-range')?.trim() ?? '');
  if (match === null) return null;
  const total = match[3] === '*' ? null : Number(match[3]);
  if (total !== null && !isCount(total)) return null;
  if (match[1] === undefined) return { range: null, total };
  const start = Number(match[1]);
  const end = Number(match[2]) + 1;
  const sane = isCount(start) && isCount(end) && start < end && (total === null || end <= total);
  return sane ? { range: { start, end }, total } : null;
}

export function validatorsOf(response: Response): Validators {
  return { etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') };
}

/**
 * Whether an answer is of the same version: what both tell must be equal, the ETag before the time. Where the first one
 * told a version, one that tells none could be of any.
 */
export function sameVersion(pinned: Validators, now: Validators): boolean {
  if (pinned.etag !== null && now.etag !== null) return pinned.etag === now.etag;
  if (pinned.lastModified !== null && now.lastModified !== null) return pinned.lastModified === now.lastModified;
  return pinned.etag === null && pinned.lastModified === null;
}

/** Only a strong ETag can be demanded with If-Match. */
export function strongTag(validators: Validators): string | null {
  return validators.etag !== null && !validators.etag.startsWith('W/') ? validators.etag : null;
}

/**
 * Fills `out` with the body, which must have just as many bytes.
 * @param onBytes is told how many there are so far.
 * @throws IoError ERR_REMOTE_RANGE for more bytes; Error for fewer, which another try may bring.
 */
export async function readBody(
  response: Response,
  out: Uint8Array,
  path: string,
  onBytes: (done: number) => void,
): Promise<void> {
  const reader = bodyReader(response);
  let done = 0;
  try {
    for (;;) {
      const value = await nextOf(reader, done === out.byteLength);
      if (value === undefined) break;
      if (value.byteLength > out.byteLength - done)
        throw new IoError(
          'ERR_REMOTE_RANGE',
          'read',
          path,
          `the server sent more than the ${String(out.byteLength)} bytes that were asked for`,
        );
      out.set(value, done);
      done += value.byteLength;
      onBytes(done);
    }
  } finally {
    // Frees the connection where the loop ended early; there is nothing more to learn from a failure of it.
    reader?.cancel().catch(() => undefined);
  }
  if (done < out.byteLength)
    throw new Error(`the answer ended after ${String(done)} of ${String(out.byteLength)} bytes`);
}

/** A connection that breaks behind the last byte took nothing away. */
async function nextOf(reader: BodyReader | null, isDone: boolean): Promise<Uint8Array | undefined> {
  try {
    return (await reader?.read())?.value;
  } catch (error) {
    if (isDone) return undefined;
    throw error;
  }
}

/** What a `fetch` of the user's may give as a body, beside a stream of the web: one of Node (node-fetch). */
type NodeBody = AsyncIterable<Uint8Array<ArrayBuffer>, undefined> & { destroy?: () => unknown };
type Body = ReadableStream<Uint8Array<ArrayBuffer>> | NodeBody | null;

export interface BodyReader {
  read(): Promise<{ readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<unknown>;
}

/** Null: there is none. */
export function bodyReader(response: Response): BodyReader | null {
  const body = response.body as Body;
  if (body === null) return null;
  if ('getReader' in body) return body.getReader();
  const pieces = body[Symbol.asyncIterator]();
  return {
    read: () => pieces.next(),
    cancel: async () => {
      await body.destroy?.();
    },
  };
}

/** Lets go of a body that is not wanted. */
export function dropBody(response: Response): void {
  bodyReader(response)
    ?.cancel()
    .catch(() => undefined);
}
