// Compressed bytes -> plain ones, by the runtime's own decompression.
import { UnsupportedError } from '@colkit/io';
import { damagedData } from './damaged-data.ts';
import type { Compression } from './damaged-data.ts';

/** @throws UnsupportedError ERR_FEATURE where the runtime cannot; CorruptFileError ERR_TRUNCATED for damaged data. */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [zlib, { Readable }] = await Promise.all([
    nodeModule(() => import('node:zlib'), compression),
    nodeModule(() => import('node:stream'), compression),
  ]);
  const create =
    compression === 'gzip'
      ? zlib.createGunzip
      : (zlib as { readonly createZstdDecompress?: typeof zlib.createGunzip }).createZstdDecompress;
  if (create === undefined)
    throw new UnsupportedError(
      'ERR_FEATURE',
      'zstd',
      'readCsv: this runtime cannot decompress zstd (Node 22.15 can); decompress the file first',
    );
  const plain = create();
  const from = Readable.from(chunks);
  // What reading throws is told as it is, not as damage.
  const failures: unknown[] = [];
  from.on('error', (error) => {
    failures.push(error);
    plain.destroy(error);
  });
  from.pipe(plain);
  try {
    for await (const chunk of plain) yield chunk as Uint8Array;
  } catch (error) {
    throw failures.length > 0 ? failures[0] : damagedData(name, compression, error);
  } finally {
    from.destroy();
    plain.destroy();
  }
}

async function nodeModule<T>(load: () => Promise<T>, compression: Compression): Promise<T> {
  try {
    return await load();
  } catch {
    throw new UnsupportedError(
      'ERR_FEATURE',
      compression,
      `readCsv: this runtime has nothing that decompresses ${compression}; decompress the file first`,
    );
  }
}
