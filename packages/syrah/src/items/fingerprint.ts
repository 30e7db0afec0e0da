// A short text that tells whether two files hold the same items, wherever they lie: size, keys and dtypes, and
// checksums of the metadata and of the array bytes. Of large files only samples are read, so that it costs
// milliseconds: it finds another file or another version, not a single changed byte among gigabytes.
import { crc32 } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { ReadRanges } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { DATA_OFFSET } from '../layout/constants.ts';
import type { FileLayout } from '../layout/read-layout.ts';

/** Ranges up to this are read whole. */
const WHOLE_BYTES = 1024 * 1024;
const SAMPLES = 64;
const SAMPLE_BYTES = 4096;

export function* fingerprint(source: RandomAccessSource, layout: FileLayout): Work<string> {
  const { metadataOffset } = layout.header;
  const schema = new TextEncoder().encode(JSON.stringify(layout.fields.map(({ name, dtype }) => [name, dtype])));
  const metadata = yield* checksum(source, metadataOffset, layout.byteLength);
  const data = yield* checksum(source, DATA_OFFSET, metadataOffset);
  return [
    layout.itemCount,
    layout.byteLength,
    crc32(schema).toString(16),
    metadata.toString(16),
    data.toString(16),
  ].join('-');
}

/** Of [start, end), or of samples spread over it, its first and last bytes among them. */
function* checksum(source: RandomAccessSource, start: number, end: number): Work<number> {
  const byteLength = end - start;
  if (byteLength === 0) return 0;
  const whole = byteLength <= WHOLE_BYTES;
  const sampleBytes = whole ? byteLength : SAMPLE_BYTES;
  const count = whole ? 1 : SAMPLES;
  const samples = new Uint8Array(count * sampleBytes);
  const each = (value: (sample: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, sample) => value(sample));
  yield new ReadRanges(source, {
    offsets: each((sample) => start + Math.floor((sample * (byteLength - sampleBytes)) / Math.max(1, count - 1))),
    lengths: each(() => sampleBytes),
    out: samples,
    outOffsets: each((sample) => sample * sampleBytes),
  });
  return crc32(samples);
}
