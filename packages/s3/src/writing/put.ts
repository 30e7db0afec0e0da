// Objects that are written unless there is one, in one step of the server. A request whose answer was lost may have
// been done, and then its next try finds the object there: each object says which call wrote it.
import type { StoreCallOptions } from '@colkit/io';
import { UncertainError } from '../requests/client.ts';
import type { Answer, Client } from '../requests/client.ts';
import { failed } from '../requests/failure.ts';
import type { Purpose } from '../requests/failure.ts';

/** The header that says which call wrote an object. */
const WRITER = 'x-amz-meta-colkit-writer';
const TAKEN = 412;

/** Headers of a new object. */
export function newObjectHeaders(writer: string): Record<string, string> {
  return { 'content-type': 'application/octet-stream', [WRITER]: writer };
}

/** @returns whether it was written. @throws IoError ERR_WRITE where it is not known whether it was. */
export async function putIfAbsent(
  client: Client,
  purpose: Purpose & { readonly key: string },
  bytes: Uint8Array<ArrayBuffer>,
  { signal }: StoreCallOptions,
): Promise<boolean> {
  const writer = crypto.randomUUID();
  return exclusively(client, purpose, writer, signal, () =>
    client.send({
      ...purpose,
      method: 'PUT',
      headers: { 'if-none-match': '*', ...newObjectHeaders(writer) },
      body: bytes,
      signal,
      answers: [TAKEN],
    }),
  );
}

/** @param request is done at most once. */
export async function exclusively(
  client: Client,
  purpose: Purpose & { readonly key: string },
  writer: string,
  signal: AbortSignal | undefined,
  request: () => Promise<Answer>,
): Promise<boolean> {
  let answer: Answer;
  try {
    answer = await request();
  } catch (error) {
    if (!(error instanceof UncertainError)) throw error;
    const there = signal?.aborted === true ? null : await writerOf(client, purpose, signal, 1).catch(() => null);
    if (there === writer) return true;
    throw error.error;
  }
  if (answer.status >= 200 && answer.status < 300) return true;
  // Something between here and the server may have sent it twice, too.
  const there = await writerOf(client, purpose, signal);
  if (there === writer) return true;
  if (answer.isUncertain && (there === null || (there === '' && isForeign(client))))
    throw failed(
      purpose,
      there === null
        ? 'it is not known whether it was written: the answer was lost, and the object is not there by now'
        : `it is not known whether it was written: the answer was lost, and the server does not list ${WRITER} in ` +
            'Access-Control-Expose-Headers',
    );
  return false;
}

/** Who wrote what is there; the empty string: somebody else, or it is hidden. Null: nothing is there. */
async function writerOf(
  client: Client,
  purpose: Purpose & { readonly key: string },
  signal: AbortSignal | undefined,
  attempts?: number,
): Promise<string | null> {
  const { status, headers } = await client.send({
    ...purpose,
    method: 'HEAD',
    signal,
    answers: [404],
    ...(attempts === undefined ? {} : { attempts }),
  });
  return status === 404 ? null : (headers.get(WRITER) ?? '');
}

/** Whether headers can be hidden: from a page of another origin. */
function isForeign({ settings }: Client): boolean {
  const page = (globalThis as { location?: { origin?: string } }).location?.origin;
  return page !== undefined && page !== new URL(settings.bucket.base).origin;
}
