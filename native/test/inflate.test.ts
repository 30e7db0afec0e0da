// DEFLATE in pages: what zlib compresses is inflated, whatever the level and strategy; of damaged streams exactly those
// are accepted, and give those bytes, that zlib accepts.
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { COLUMN_TYPES, ENCODINGS, JOB, OUTCOMES, PAGE_HEADER } from '../scripts/page-program-table.mjs';
import { hasNative, mapBytes, native } from './support.ts';

const PLAIN = ENCODINGS.indexOf('plain');
const UINT8 = COLUMN_TYPES.findIndex(([name]) => name === 'uint8');
const DECODED = OUTCOMES.findIndex(([name]) => name === 'decoded');
const STRATEGIES = [constants.Z_DEFAULT_STRATEGY, constants.Z_FILTERED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE];
const LENGTHS = [1, 2, 7, 31, 64, 257, 258, 259, 300, 1000, 5000, 40_000, 65_536];

/** mulberry32 */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Pages of a uint8 column, each a stream that is said to give so many bytes. */
function fileWith(streams: readonly { readonly stored: Uint8Array; readonly byteLength: number }[]) {
  const parts: Uint8Array[] = [new Uint8Array(4)];
  const jobs: number[] = [];
  let [at, outputOffset] = [4, 0];
  for (const { stored, byteLength } of streams) {
    const page = new Uint8Array(Math.ceil((28 + stored.length) / 8) * 8);
    const view = new DataView(page.buffer);
    view.setUint32(PAGE_HEADER.storedBytes, stored.length, true);
    view.setUint32(PAGE_HEADER.bodyBytes, byteLength, true);
    view.setUint32(PAGE_HEADER.rowCount, byteLength, true);
    view.setUint32(PAGE_HEADER.valueCount, byteLength, true);
    page.set([0, UINT8, PLAIN, 0, 1], PAGE_HEADER.kind);
    page.set(stored, 28);
    view.setUint32(PAGE_HEADER.crc, crc32(page.subarray(4, 28 + stored.length)), true);
    const job: Record<string, number> = {
      byteOffset: at,
      byteLength: page.length,
      typeId: UINT8,
      rowCount: byteLength,
      end: byteLength,
      outputOffset,
      validityOutput: -1,
    };
    jobs.push(...JOB.map(([name]) => job[name as string] ?? 0));
    parts.push(page);
    at += page.length;
    outputOffset += byteLength;
  }
  return { bytes: Buffer.concat(parts), jobs: Float64Array.from(jobs), outBytes: outputOffset };
}

/** The bytes of each stream, or null where it is left. */
function inflated(streams: readonly { readonly stored: Uint8Array; readonly byteLength: number }[]) {
  const { bytes, jobs, outBytes } = fileWith(streams);
  const out = new Uint8Array(outBytes);
  const results = new Float64Array(6 * streams.length);
  native().decodePagesSync(mapBytes(bytes).mapping, jobs, results, [out], true, 0);
  let at = 0;
  return streams.map(({ byteLength }, index) => {
    at += byteLength;
    return results[6 * index] === DECODED ? out.slice(at - byteLength, at) : null;
  });
}

function byZlib(stored: Uint8Array, byteLength: number): Uint8Array | null {
  try {
    const { buffer, engine } = inflateRawSync(stored, { maxOutputLength: byteLength, info: true }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return buffer.length === byteLength && engine.bytesWritten === stored.length ? new Uint8Array(buffer) : null;
  } catch {
    return null;
  }
}

function samples(random: (below: number) => number): Uint8Array[] {
  const text = 'for row in rows: print(row.name, row.price)\n# the same again, with other words\n'.repeat(900);
  return LENGTHS.flatMap((length) => [
    Uint8Array.from({ length }, () => random(256)),
    new Uint8Array(length).fill(random(256)),
    new Uint8Array(Buffer.from(text.slice(random(80)).slice(0, length).padEnd(length, '.'))),
    Uint8Array.from({ length }, (_, i) => (i % (2 + (length % 19))) * 7),
    Uint8Array.from({ length }, () => Math.min(255, Math.floor(-Math.log(1 - random(1e6) / 1e6) * 9))),
    // Each byte 1.6 times as often as the next: codes of up to fifteen bits.
    Uint8Array.from({ length }, () => Math.min(255, Math.floor(-Math.log(1 - random(1e6) / 1e6) / Math.log(1.6)))),
  ]);
}

describe.skipIf(!hasNative)('pages with DEFLATE', () => {
  const random = createRandom(7);
  const streams = samples(random).flatMap((raw) =>
    [0, 1, 6, 9].flatMap((level) =>
      STRATEGIES.map((strategy) => ({
        raw,
        stored: new Uint8Array(deflateRawSync(raw, { level, strategy })),
        byteLength: raw.length,
      })),
    ),
  );
  const fixed = samples(random).map((raw) => ({
    raw,
    stored: new Uint8Array(deflateRawSync(raw, { strategy: constants.Z_FIXED })),
    byteLength: raw.length,
  }));

  test('give what was compressed', () => {
    const all = [...streams, ...fixed];
    const found = inflated(all);
    for (const [index, { raw }] of all.entries())
      expect(Buffer.compare(found[index] ?? new Uint8Array(0), raw), `stream ${index}`).toBe(0);
  });

  test('are left where the stream is shorter, longer or followed by something', () => {
    const changed = [...streams, ...fixed].flatMap(({ stored, byteLength }) => [
      { stored: stored.subarray(0, -1), byteLength },
      { stored: Uint8Array.of(...stored.subarray(0, 60_000), 0), byteLength },
      { stored, byteLength: byteLength - 1 },
      { stored, byteLength: Math.min(65_536, byteLength + 1) },
    ]);
    const asked = changed.filter(
      ({ stored, byteLength }) => byteLength > 0 && stored.length < 60_000 && byZlib(stored, byteLength) === null,
    );
    expect(asked.length).toBeGreaterThan(2000);
    expect(inflated(asked).every((bytes) => bytes === null)).toBe(true);
  });

  test('are accepted where zlib accepts them, when bits are wrong', () => {
    const damaged = [...streams, ...fixed]
      .filter(({ byteLength }) => byteLength < 2000)
      .flatMap(({ stored, byteLength }) =>
        Array.from({ length: 6 }, () => {
          const bytes = stored.slice();
          for (let i = 0; i <= random(3); i++) {
            const at = random(bytes.length);
            bytes[at] = (bytes[at] as number) ^ (1 << random(8));
          }
          return { stored: bytes, byteLength };
        }),
      );
    const found = inflated(damaged);
    let accepted = 0;
    for (const [index, { stored, byteLength }] of damaged.entries()) {
      const expected = byZlib(stored, byteLength);
      accepted += Number(expected !== null);
      const actual = found[index] ?? null;
      const isSame =
        expected === null || actual === null ? expected === actual : Buffer.compare(expected, actual) === 0;
      expect(isSame, `stream ${index}`).toBe(true);
    }
    expect(accepted).toBeGreaterThan(100);
    expect(accepted).toBeLessThan(damaged.length - 100);
  });
});
