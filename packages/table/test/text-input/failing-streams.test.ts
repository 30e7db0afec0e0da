// Streams that fail, or whose reading is given up: what they failed with is told as it is, of compressed ones too.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../src/csv/index.ts';
import { readJson } from '../../src/json/index.ts';

const text = new TextEncoder().encode(Array.from({ length: 5000 }, (_, row) => `{"a":${String(row)}}`).join('\n'));
const STREAMS = { plain: text, gzip: new Uint8Array(gzipSync(text)) };

/** The first half; then what the function does. */
async function* half(bytes: Uint8Array, then: () => Promise<unknown> | never): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  await then();
}

describe.each(Object.entries(STREAMS))('%s', (kind, bytes) => {
  describe.each([
    ['readCsv', readCsv],
    ['readJson', readJson],
  ])('%s', (_, read) => {
    test.each([
      ['an error', new Error('connection reset')],
      ['a text', 'gone'],
    ])('fails with %s', async (_, reason) => {
      const given = half(bytes, () => Promise.reject(reason as Error));
      await expect(read(given)).rejects.toBe(reason);
    });

    test('given up while more is waited for', async () => {
      const stop = new AbortController();
      const given = half(bytes, () => {
        stop.abort('enough');
        return new Promise(() => undefined);
      });
      await expect(read(given, { signal: stop.signal })).rejects.toBe('enough');
    });
  });

  test.runIf(kind === 'gzip')('cut, it is damaged', async () => {
    await expect(readJson(half(bytes, () => Promise.resolve()))).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
  });
});
