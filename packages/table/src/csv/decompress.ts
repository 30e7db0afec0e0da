// A stream of bytes that may be gzip or zstd -> the plain bytes. Told by the first four bytes.
import { CorruptFileError, UnsupportedError, isColkitError } from '@colkit/io';

export type Compression = 'gzip' | 'zstd';

const MAGICS: readonly (readonly [Compression, readonly number[]])[] = [['gzip', [0x1f, 0x8b]], ['zstd', [0x28, 0xb5, 0x2f, 0xfd]]];

export function compressionOf(head: Uint8Array): Compression | null {
  return MAGICS.find(([, magic]) => magic.every((byte, index) => head[index] === byte))?.[0] ?? null;
}

/** @throws UnsupportedError ERR_FEATURE where the runtime cannot; CorruptFileError ERR_TRUNCATED for compressed data that is damaged or cut. */
export async function* decompressed(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const { head, done } = await firstBytes(iterator);
    const compression = compressionOf(head);
    const all = rest(head, done, iterator);
    yield* compression === null ? all : inflate(all, compression, name);
  } finally {
    await iterator.return?.();
  }
}

async function firstBytes(iterator: AsyncIterator<Uint8Array>): Promise<{ readonly head: Uint8Array; readonly done: boolean }> {
  let head = new Uint8Array(0);
  while (head.length < 4) {
    const next = await iterator.next();
    if (next.done === true) return { head, done: true };
    const joined = new Uint8Array(head.length + next.value.length);
    joined.set(head);
    joined.set(next.value, head.length);
    head = joined;
  }
  return { head, done: false };
}

async function* rest(head: Uint8Array, done: boolean, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.length > 0) yield head;
  if (done) return;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}

async function* inflate(chunks: AsyncIterable<Uint8Array>, compression: Compression, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  const [zlib, { Readable }] = await Promise.all([nodeModule(() => import('node:zlib'), compression), nodeModule(() => import('node:stream'), compression)]);
  const create = compression === 'gzip' ? zlib.createGunzip : (zlib as { readonly createZstdDecompress?: typeof zlib.createGunzip }).createZstdDecompress;
  if (create === undefined) throw new UnsupportedError('ERR_FEATURE', 'zstd', 'readCsv: this runtime cannot decompress zstd (Node 22.15 can); decompress the file first');
  const plain = create();
  const from = Readable.from(chunks);
  from.on('error', (error) => plain.destroy(error));
  from.pipe(plain);
  try {
    for await (const chunk of plain) yield chunk as Uint8Array;
  } catch (error) {
    if (isColkitError(error)) throw error;
    throw new CorruptFileError('ERR_TRUNCATED', {
      path: name, region: `${compression} data`, byteOffset: 0, expected: 'a complete stream', found: error instanceof Error ? error.message : String(error), cause: error,
    });
  } finally {
    from.destroy();
    plain.destroy();
  }
}

async function nodeModule<T>(load: () => Promise<T>, compression: Compression): Promise<T> {
  try {
    return await load();
  } catch {
    throw new UnsupportedError('ERR_FEATURE', compression, `readCsv: ${compression} is decompressed in Node only; decompress the file first`);
  }
}
