// What a stream that is read as CSV or JSON may give: bytes. Text copied as numbers would be zeros.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCsv } from '../../src/csv/index.ts';
import { readJson } from '../../src/json/index.ts';

const CSV = 'a,b\n1,2\n';
const JSON_LINES = '{"a":1}\n{"a":2}\n';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stream-pieces-'));
  writeFileSync(join(folder, 'a.csv'), CSV);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stream = (...pieces: unknown[]): AsyncIterable<Uint8Array> => Readable.from(pieces);

describe('pieces of a stream', () => {
  test.each<[string, () => AsyncIterable<unknown>]>([
    ['text', () => stream(CSV)],
    ['text behind bytes', () => stream(Buffer.from('a,b\n'), '1,2\n')],
    ['a file with an encoding', () => createReadStream(join(folder, 'a.csv'), 'utf8')],
    ['an ArrayBuffer', () => stream(new TextEncoder().encode(CSV).buffer)],
    ['other numbers', () => stream(Uint16Array.from(CSV, (character) => character.charCodeAt(0)))],
    ['an object', () => stream({ a: 1 })],
  ])('%s is refused', async (_, make) => {
    const refusal = { code: 'ERR_ARGUMENT', argument: 'input' };
    await expect(readCsv(make() as AsyncIterable<Uint8Array>)).rejects.toMatchObject(refusal);
    await expect(readJson(make() as AsyncIterable<Uint8Array>)).rejects.toMatchObject(refusal);
  });

  test('bytes and Buffers are taken, and the generator that failed is ended', async () => {
    const csv = await readCsv(stream(Buffer.from('a,b\n1'), new TextEncoder().encode(',2\n')));
    const json = await readJson(stream(Buffer.from(JSON_LINES)));
    expect([csv.rowCount, json.rowCount]).toEqual([1, 2]);
    await Promise.all([csv.close(), json.close()]);
    let ended = 0;
    const text = async function* () {
      try {
        for (;;) yield CSV as unknown as Uint8Array;
      } finally {
        ended += 1;
      }
    };
    await expect(readCsv(text())).rejects.toThrow(/a stream of bytes .* but found "a,b/u);
    expect(ended).toBe(1);
  });
});

test('a stream that is no iterable, as those of Safari, is read by its reader; a failure cancels it', async () => {
  const cancelled: unknown[] = [];
  const streamOf = (...pieces: unknown[]): AsyncIterable<Uint8Array> => {
    const stream = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: () => void cancelled.push('cancelled'),
    });
    return { getReader: () => stream.getReader() } as unknown as AsyncIterable<Uint8Array>;
  };
  const bytes = new TextEncoder().encode('a,b\n1,2\n3,4\n');
  const { columns, rowCount } = await readCsv(streamOf(bytes.subarray(0, 5), bytes.subarray(5)));
  expect([columns.map(({ field }) => field.name), rowCount]).toEqual([['a', 'b'], 2]);
  expect(cancelled).toEqual([]);
  await expect(readCsv(streamOf('text', bytes))).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  expect(cancelled).toEqual(['cancelled']);
});
