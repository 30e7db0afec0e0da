// Many small items: what they are written by does not grow with their number.
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { Writable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { createSync } from 'syrah';
import { runProgram } from '../../src/program/program.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';
import { temporaryFolder } from '../support/folder.ts';
import { Recorder, linesOf as run } from '../support/run.ts';

const COUNT = 140_000;
const folder = temporaryFolder();
const path = folder.path('many.syr');

beforeAll(() => {
  const writer = createSync(path, { durability: 'none' });
  for (let i = 0; i < COUNT; i += 1) writer.addItemSync({ label: Int32Array.of(i) });
  writer.closeSync();
});

test.each([
  ['csv', (i: number) => `${String(i)}\r\n`, 'label\r\n'],
  ['jsonl', (i: number) => `{"label":[${String(i)}]}\n`, ''],
] as const)('as %s they are written many at a time', async (form, line, head) => {
  const pieces: Buffer[] = [];
  const stdout = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  const words = ['convert', path, '-', '--to', form];
  expect(await runProgram(words, terminalOf({ stdout, stderr: new Recorder(false) }))).toBe(0);
  const expected = head + Array.from({ length: COUNT }, (_, i) => line(i)).join('');
  expect(Buffer.concat(pieces).toString() === expected).toBe(true);
  expect(pieces.length).toBeLessThan(expected.length / 50_000);
  const file = folder.path(`many.${form}`);
  expect((await run('convert', path, file)).code).toBe(0);
  expect(readFileSync(file, 'utf8') === expected).toBe(true);
});

test('in Parquet they are several row groups', async () => {
  const file = folder.path('many.parquet');
  expect((await run('convert', path, file)).code).toBe(0);
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(file));
  expect(groups.map(({ num_rows: rows }) => Number(rows))).toEqual([131_072, COUNT - 131_072]);
});
