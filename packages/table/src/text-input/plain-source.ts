// Whatever text comes in -> plain bytes that can be read anywhere and twice: files as they are, what is compressed and
// streams in memory or a temporary file.
import { ArgumentError, describeValue, dtypeOfArray, openSource } from '@colkit/io';
import type { Openable, RandomAccessSource } from '@colkit/io';
import { isAwaited, untilAborted } from '@colkit/io/effects';
import { compressionOf, decompressed } from './decompress.ts';
import { spool } from './spool.ts';

export interface Plain {
  readonly source: RandomAccessSource;
  /** What errors call it: of what was decompressed, the compressed file. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

const MAGIC_BYTES = 4;
const STREAM_BYTES = 1 << 20;

export async function plainSource(
  input: Openable | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Plain> {
  if (isAwaited(input)) return spooled(input, '<stream>', signal);
  const source = await openSource(input, signal === undefined ? {} : { signal });
  const close = (): Promise<void> => {
    if (source !== input) source.close();
    return Promise.resolve();
  };
  try {
    const magic = new Uint8Array(Math.min(MAGIC_BYTES, source.byteLength));
    await source.read(0, magic, signal);
    if (compressionOf(magic) === null) return { source, name: source.path, close };
    const plain = await spooled(chunksOf(source, signal), source.path, signal);
    await close();
    return plain;
  } catch (error) {
    await close();
    throw error;
  }
}

async function* chunksOf(
  source: RandomAccessSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; offset < source.byteLength; offset += STREAM_BYTES) {
    const chunk = new Uint8Array(Math.min(STREAM_BYTES, source.byteLength - offset));
    await source.read(offset, chunk, signal);
    yield chunk;
  }
}

async function spooled(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Plain> {
  return { name, ...(await spool(decompressed(bytesOnly(untilAborted(chunks, signal)), name), signal)) };
}

/** @throws ArgumentError ERR_ARGUMENT for a piece of text, or of other numbers: copied, they would be other bytes. */
async function* bytesOnly(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    if (dtypeOfArray(chunk) !== 'uint8')
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'input',
        'a stream of bytes (Uint8Array; of text new TextEncoder().encode(text), of a file one without an encoding)',
        describeValue(chunk),
      );
    yield chunk;
  }
}
