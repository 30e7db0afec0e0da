// The same name as inflate.ts for browsers, whose DecompressionStream knows gzip.
import { UnsupportedError } from '@colkit/io';
import { damagedData } from './damaged-data.ts';
import type { Compression } from './damaged-data.ts';

/** @throws UnsupportedError ERR_FEATURE for zstd; CorruptFileError ERR_TRUNCATED for damaged data. */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (compression !== 'gzip' || typeof DecompressionStream === 'undefined')
    throw new UnsupportedError(
      'ERR_FEATURE',
      compression,
      `${name}: this browser cannot decompress ${compression}; decompress the file first, or write gzip`,
    );
  const iterator = chunks[Symbol.asyncIterator]();
  // What reading throws is told as it is, not as damage.
  const failures: unknown[] = [];
  const given = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const step = await iterator.next();
        if (step.done === true) controller.close();
        else controller.enqueue(step.value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        failures.push(error);
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  const reader = given.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } catch (error) {
    throw failures.length > 0 ? failures[0] : damagedData(name, compression, error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
