// One multipart upload: parts are sent a few at a time, in any order, and become an object together, or none.
import { IoError, LimitError, onAbort, unlessAborted } from '@colkit/io';
import { UncertainError } from '../requests/client.ts';
import type { Answer, Client } from '../requests/client.ts';
import { failed } from '../requests/failure.ts';
import type { Purpose } from '../requests/failure.ts';
import { escaped, textOf } from '../requests/xml.ts';
import { exclusively, newObjectHeaders } from './put.ts';

const MOST_PARTS = 10_000;
const NO_UPLOAD = 404;
const TAKEN = 412;

export class Upload {
  readonly #client: Client;
  readonly #purpose: Purpose & { readonly key: string };
  readonly #concurrency: number;
  readonly #writer = crypto.randomUUID();
  readonly #stop = new AbortController();
  readonly #given: readonly AbortSignal[];
  /** Lets go of the caller's signal. */
  #forgetSignal = (): void => undefined;
  readonly #tags = new Map<number, string>();
  readonly #sending = new Set<Promise<void>>();
  #id: Promise<string> | null = null;
  #isNamed = false;
  #failure: Error | null = null;

  constructor(client: Client, key: string, concurrency: number, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#purpose = { operation: 'create', path: client.nameOf(key), key };
    this.#concurrency = concurrency;
    this.#given = signal === undefined ? [] : [signal];
  }

  /** Waits for a place among those that are sent, not for the part. @throws what an earlier part threw. */
  async send(part: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (part > MOST_PARTS)
      throw new LimitError('ERR_LIMIT', `${this.#purpose.path}: parts (see partBytes)`, MOST_PARTS, part);
    while (this.#sending.size >= this.#concurrency) await Promise.race(this.#sending);
    this.#throwFailure();
    const sending = this.#sent(part, bytes)
      .catch((error: unknown) => {
        this.#failure ??= error instanceof UncertainError ? error.error : (error as Error);
        this.#stop.abort(this.#failure);
      })
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** @throws IoError ERR_EXISTS, ERR_WRITE. */
  async complete(): Promise<void> {
    await Promise.all(this.#sending);
    this.#throwFailure();
    const parts = [...this.#tags].sort(([left], [right]) => left - right);
    const xml = parts.map(
      ([number, tag]) => `<Part><PartNumber>${String(number)}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
    );
    const body = new TextEncoder().encode(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml.join('')}` +
        '</CompleteMultipartUpload>',
    );
    const isOurs = await exclusively(this.#client, this.#purpose, this.#writer, this.#stop.signal, () =>
      this.#completion(body),
    );
    if (!isOurs) throw existsError(this.#purpose);
    this.#forgetSignal();
  }

  /**
   * Nothing stays of it, as far as the server can be reached: what cannot be taken back is for the bucket's rule about
   * unfinished uploads.
   */
  async abort(): Promise<void> {
    const purpose = this.#purpose;
    this.#stop.abort(failed(purpose, 'it was given up'));
    this.#forgetSignal();
    await Promise.all(this.#sending);
    const removed = this.#id
      ?.then((uploadId) =>
        this.#client.send({ ...purpose, method: 'DELETE', query: { uploadId }, answers: [NO_UPLOAD] }),
      )
      .catch(() => undefined);
    // One that the server has yet to name is removed then, and nobody waits for it.
    if (this.#isNamed) await removed;
  }

  async #completion(body: Uint8Array<ArrayBuffer>): Promise<Answer> {
    const answer = await this.#client.send({
      ...this.#purpose,
      method: 'POST',
      query: { uploadId: await this.#begun() },
      headers: { 'if-none-match': '*', 'content-type': 'application/xml' },
      body,
      signal: this.#stop.signal,
      answers: [TAKEN, NO_UPLOAD],
      root: 'CompleteMultipartUploadResult',
    });
    if (answer.status !== NO_UPLOAD) return answer;
    const error = failed(this.#purpose, 'the server does not know the upload any more (status 404)');
    // An earlier try may have completed it.
    throw answer.isUncertain ? new UncertainError(error) : error;
  }

  async #sent(part: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { headers } = await this.#client.send({
      ...this.#purpose,
      method: 'PUT',
      query: { partNumber: String(part), uploadId: await unlessAborted(this.#begun(), [this.#stop.signal]) },
      body: bytes,
      signal: this.#stop.signal,
    });
    const tag = headers.get('etag');
    if (tag === null)
      throw failed(
        this.#purpose,
        'the server tells no ETag of a part; for another origin it must list it in Access-Control-Expose-Headers',
      );
    this.#tags.set(part, tag);
  }

  #begun(): Promise<string> {
    return (this.#id ??= this.#begin());
  }

  /** To its end, whoever gives it up: what the server has begun stays until it is removed by its name. */
  async #begin(): Promise<string> {
    const purpose = this.#purpose;
    this.#forgetSignal = onAbort(this.#given, (reason) => this.#stop.abort(reason));
    const { root } = await this.#client.send({
      ...purpose,
      method: 'POST',
      root: 'InitiateMultipartUploadResult',
      query: { uploads: '' },
      headers: newObjectHeaders(this.#writer),
    });
    const id = root === null ? null : textOf(root, 'UploadId');
    if (id === null || id === '') throw failed(purpose, 'the server gives the upload no name');
    this.#isNamed = true;
    return id;
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

export function existsError({ path }: Purpose): IoError {
  return new IoError('ERR_EXISTS', 'create', path, 'there is an object with this key already');
}
