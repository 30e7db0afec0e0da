// CSV in and out: types found out over all rows, nulls, faults with their lines, compression, streams, and what comes
// back.
import { WorkContext } from '@colkit/io/effects';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { MemorySource } from '@colkit/io';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../src/csv/index.ts';
import type { CsvOptions } from '../../src/csv/index.ts';
import { toInputColumns, valuesOf } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { bytesOf, values } from './csv-values.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-csv-test-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('dialects', () => {
  it.each<[string, string, CsvOptions, Record<string, unknown[]>]>([
    ['CRLF, BOM, blank lines', '\ufeffa,b\r\n1,2\r\n\r\n3,4\r\n', {}, { a: [1n, 3n], b: [2n, 4n] }],
    ['no line break at the end', 'a,b\n1,2', {}, { a: [1n], b: [2n] }],
    ['semicolons and single quotes', "a;b\n'1;1';2\n", { separator: ';', quote: "'" }, { a: ['1;1'], b: [2n] }],
    ['tabs without quotes', 'a\tb\n"x\t1\n', { separator: '\t', quote: null }, { a: ['"x'], b: [1n] }],
    ['a name that Parquet files begin with', 'PAR1,PAR2\n4,5\n', {}, { PAR1: [4n], PAR2: [5n] }],
    ['a name that Arrow files begin with', 'ARROW1,b\n4,5\n', {}, { ARROW1: [4n], b: [5n] }],
    ['no header', '1,x\n2,y\n', { header: false }, { column0: [1n, 2n], column1: ['x', 'y'] }],
    ['other names', 'a,a\n1,2\n', { names: ['p', 'q'] }, { p: [1n], q: [2n] }],
    ['names of rows, as R writes them', 'a,b\n"r",1,2\n', { names: ['p', 'q', 's'] }, { p: ['r'], q: [1n], s: [2n] }],
    ['names without header', '1,2\n', { header: false, names: ['p', 'q'] }, { p: [1n], q: [2n] }],
    ['null words', 'a,b\nNA,-\n1,2\n"NA",3\n', { nullWords: ['NA', '-'] }, { a: [null, '1', 'NA'], b: [null, 2n, 3n] }],
    ['empty text is not null where it is quoted', 'a,b\n"",\nx,\n', {}, { a: ['', 'x'], b: [null, null] }],
    ['one column: an empty line is a null', 'a\n1\n\n2\n', {}, { a: [1n, null, 2n] }],
    ['line breaks in quotes', 'a,b\n"x\ny\r\nz",1\n', {}, { a: ['x\ny\r\nz'], b: [1n] }],
    ['names that are no words', '__proto__,"a ""b"""\n1,2\n', {}, { ['__proto__']: [1n], 'a "b"': [2n] }],
    ['a header and nothing else', 'a,b\n', {}, { a: [], b: [] }],
    [
      'some columns, in another order',
      'a,b,c\n1,x,\n2,"y,z",7\n',
      { columns: ['c', 'a'] },
      { c: [null, 7n], a: [1n, 2n] },
    ],
    ['one column of many: an empty line is no row', 'a,b\n1,\n\n2,3\n', { columns: ['b'] }, { b: [null, 3n] }],
    ['some by other names', 'a,a\n1,2\n', { names: ['p', 'q'], columns: ['q'] }, { q: [2n] }],
    ['some without a header', '1,2\n', { header: false, columns: ['column1'] }, { column1: [2n] }],
    ['types of others too', 'a,b\nx,2\n', { columns: ['b'], types: { a: 'int8', b: 'int32' } }, { b: [2] }],
  ])('%s', async (_, text, options, expected) => {
    expect(Object.entries(await values(text, options))).toEqual(Object.entries(expected));
  });

  it.each<[string, string, CsvOptions, string]>([
    ['nothing', '', {}, 'ERR_SCHEMA'],
    ['given names that come twice', 'a,a\n', { names: ['a', 'a'] }, 'ERR_SCHEMA'],
    ['too few names', 'a,b\n', { names: ['a'] }, 'ERR_SCHEMA'],
    ['a name more than the rows have cells', 'a,b\n1,2\n', { names: ['a', 'b', 'c'] }, 'ERR_SCHEMA'],
    ['two names more than the header has', 'a,b\n1,2,3,4\n', { names: ['a', 'b', 'c', 'd'] }, 'ERR_SCHEMA'],
    ['a type of no column', 'a\n', { types: { b: 'int8' } }, 'ERR_SCHEMA'],
    ['a column that there is not', 'a,b\n', { columns: ['c'] }, 'ERR_UNKNOWN_COLUMN'],
    ['a column twice', 'a,b\n', { columns: ['a', 'b', 'a'] }, 'ERR_SCHEMA'],
    ['no column', 'a,b\n', { columns: [] }, 'ERR_SCHEMA'],
    ['a type that cells cannot have', 'a\n', { types: { a: 'timedelta64[s]' } }, 'ERR_ARGUMENT'],
    ['a long separator', 'a\n', { separator: '::' }, 'ERR_ARGUMENT'],
    ['a line break as separator', 'a\n', { separator: '\n' }, 'ERR_ARGUMENT'],
    ['one character for two things', 'a\n', { separator: '"' }, 'ERR_ARGUMENT'],
    ['a wrong choice', 'a\n', { onError: 'ignore' as never }, 'ERR_ARGUMENT'],
    ['UTF-16', '', {}, 'ERR_FEATURE'],
    ['lines that end in CR alone', 'a,b\r1,2\r3,4\r', {}, 'ERR_VALUE'],
    ['many such lines', 'a,b\r'.repeat(300_000), {}, 'ERR_VALUE'],
    ['names in broken quotes', '"a"x,b\n1,2\n', {}, 'ERR_VALUE'],
    ['a separator that is none', 'a\n', { separator: null as never }, 'ERR_ARGUMENT'],
    ['a quote that is none', 'a\n', { quote: 5 as never }, 'ERR_ARGUMENT'],
    ['a header that is neither', 'a\n', { header: 'yes' as never }, 'ERR_ARGUMENT'],
    ['a null word', 'a\n', { nullWords: 'NA' as never }, 'ERR_ARGUMENT'],
    ['null words of another kind', 'a\n', { nullWords: [5] as never }, 'ERR_ARGUMENT'],
    ['a name in place of names', 'a\n', { names: 'a' as never }, 'ERR_ARGUMENT'],
    ['no types', 'a\n', { types: null as never }, 'ERR_ARGUMENT'],
    ['a choice by number', 'a\n', { onError: 5n as never }, 'ERR_ARGUMENT'],
  ])('%s is refused', async (name, text, options, code) => {
    await expect(
      readCsv(name === 'UTF-16' ? Uint8Array.of(0xff, 0xfe, 0x61, 0) : bytesOf(text), options),
    ).rejects.toThrow(expect.objectContaining({ code }));
  });
});

describe('what is no CSV is told what it is, and what to do', () => {
  it.each<[string, readonly number[], RegExp]>([
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], /bzip2 -dc/],
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90], /gzip/],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1], /xz -dc/],
    ['lz4', [4, 0x22, 0x4d, 0x18, 1], /lz4/],
    ['zip', [0x50, 0x4b, 3, 4, 0], /unzip/],
    ['UTF-16', [0xff, 0xfe, 0x61, 0], /iconv/],
    ['UTF-16', [0xfe, 0xff, 0, 0x61], /iconv/],
    ['UTF-16', [0x61, 0, 0x2c, 0], /iconv/],
    ['UTF-16', [0, 0x61, 0, 0x2c], /iconv/],
    ['Parquet', [0x50, 0x41, 0x52, 0x31, 0x15, 0], /read it as what it is/],
    ['Arrow', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0, 0], /read it as what it is/],
  ])('%s', async (feature, bytes, remedy) => {
    await expect(readCsv(Uint8Array.from(bytes))).rejects.toThrow(
      expect.objectContaining({
        name: 'UnsupportedError',
        code: 'ERR_FEATURE',
        feature,
        message: expect.stringMatching(remedy) as string,
      }),
    );
  });

  it('text that begins like bzip2 is text', async () => {
    expect((await readCsv(bytesOf('BZh9,b\n1,2\n'))).fields.map(({ name }) => name)).toEqual(['BZh9', 'b']);
  });
});

describe('what looks alike', () => {
  it('names that are no UTF-8 are refused; other names are taken in their place', async () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x2c, ...bytesOf('b\nx,1\n'));
    await expect(readCsv(bytes)).rejects.toThrow(
      expect.objectContaining({ code: 'ERR_VALUE', message: expect.stringContaining('line 1') as string }),
    );
    expect((await readCsv(bytes, { names: ['p', 'q'] })).fields.map(({ name }) => name)).toEqual(['p', 'q']);
  });

  it('what is no input', async () => {
    for (const wrong of [null, undefined, 5, {}])
      await expect(readCsv(wrong as never)).rejects.toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  });

  it('a carriage return within a cell is text, wherever lines end', async () => {
    expect((await values('a,b\nx\ry,1\n'))['a']).toEqual(['x\ry']);
    expect(await values('"a\rb"')).toEqual({ 'a\rb': [] });
  });
});

describe('rows that cannot be taken', () => {
  const broken = 'a,b\n1,2\n1,2,3\n"x\ny",5\n1\n"q"z,1\n7,8\n"never closed,9\n';

  it('stop the import, with their line', async () => {
    await expect(readCsv(bytesOf(broken))).rejects.toThrow(
      /line 3: expected 2 cells but found 3 \(\{ onError: 'skip' \} leaves such rows out\)/u,
    );
    await expect(readCsv(bytesOf('a,b\n1,2\n"never closed,3\n4,5\n'))).rejects.toThrow(
      /line 3: expected quotes in pairs but found broken ones in cell 1/u,
    );
    await expect(readCsv(bytesOf('a\n1\nx\n'), { types: { a: 'int32' } })).rejects.toThrow(
      /line 3: expected int32 in column "a" but found "x"/u,
    );
  });

  it('or are left out and told', async () => {
    const csv = await readCsv(bytesOf(broken), { onError: 'skip' });
    expect(csv.rejected).toEqual([
      { line: 3, reason: 'expected 2 cells but found 3' },
      { line: 6, reason: 'expected 2 cells but found 1' },
      { line: 7, reason: 'expected quotes in pairs but found broken ones in cell 1' },
      { line: 9, reason: 'expected quotes in pairs but found broken ones in cell 1' },
    ]);
    expect(csv.rejectedCount).toBe(4);
    expect(await readAll(toInputColumns(csv))).toEqual(
      Object.assign(Object.create(null) as object, { a: ['1', 'x\ny', '7'], b: [2n, 5n, 8n] }),
    );
  });

  it.each([
    ['int8', '128'],
    ['uint8', '-1'],
    ['uint64', '18446744073709551616'],
    ['int64', '9223372036854775808'],
    ['bool', '2'],
    ['bool', 'on'],
    ['datetime64[s]', '2024-01-01T00:00:00.5'],
    ['datetime64[D]', '2024-01-01T00:01'],
    ['S1', 'xy'],
    ['S1', '\u0100'],
    ['float32', '1,5'],
    ['int32', '1.5'],
    ['int32', '1_000'],
    ['int32', '+-1'],
    ['int32', '+'],
    ['int32', '.'],
    ['int8', '1e3'],
    ['int64', '9223372036854775807.5'],
    ['int64', '1e19'],
    ['float64', '++1'],
    ['float64', '1_000'],
    ['datetime64[us]', '2024-01-01T10:00+25:00'],
    ['datetime64[us]', '2024'],
    ['datetime64[us]', 'NaT'],
    ['datetime64[us]', '2024-01-01T10:00:00.0000001+01:00'],
    ['uint64', '99999999999999999999999'],
  ])('%s: %s', async (dtype, cell) => {
    const csv = await readCsv(bytesOf(`a\n"${cell}"\n`), { types: { a: dtype as 'int8' }, onError: 'skip' });
    expect([csv.rowCount, csv.rejectedCount]).toEqual([0, 1]);
  });

  it('text that is no UTF-8', async () => {
    const bytes = Uint8Array.of(...bytesOf('a,b\nx,1\n'), 0xff, ...bytesOf(',2\né,3\n'));
    await expect(readCsv(bytes)).rejects.toThrow(/line 3/u);
    const csv = await readCsv(bytes, { onError: 'skip' });
    expect(csv.rejected).toEqual([{ line: 3, reason: 'expected UTF-8 but found other bytes in cell 1' }]);
    expect((await readAll(toInputColumns(csv)))['a']).toEqual(['x', 'é']);
  });
});

describe('inputs', () => {
  const rows = Array.from(
    { length: 150_000 },
    (_, row) => `${String(row)},"text ${String(row % 7)}\nmore",${String(row / 4)}`,
  );
  const text = `id,text,part\n${rows.join('\n')}\n`;

  it('files, sources, gzip, streams, in blocks that fit together', async () => {
    const bytes = bytesOf(text);
    const path = join(folder, 'big.csv');
    writeFileSync(path, bytes);
    writeFileSync(`${path}.gz`, gzipSync(bytes));
    // Two members in one file, as `cat a.gz b.gz` makes.
    writeFileSync(`${path}.two.gz`, Buffer.concat([gzipSync(bytes.subarray(0, 1000)), gzipSync(bytes.subarray(1000))]));
    for (const input of [
      path,
      `${path}.gz`,
      `${path}.two.gz`,
      bytes,
      new MemorySource(bytes),
      new Blob([gzipSync(bytes)]),
      Readable.from([
        bytes.subarray(0, 2),
        bytes.subarray(2, 70_000),
        bytes.subarray(70_000),
      ]) as AsyncIterable<Uint8Array>,
    ]) {
      const csv = await readCsv(input);
      expect(csv.rowCount).toBe(rows.length);
      const chunk = await csv.columns[0]!.read(70_001, 149_999).run(new WorkContext());
      const ids = new BigInt64Array((chunk as { bytes: Uint8Array }).bytes.slice().buffer);
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([79_998, 70_001n, 149_998n]);
      const texts = csv.columns[1]!.read(0, 20_000).runSync(new WorkContext());
      expect(valuesOf(texts)[13_999]).toBe('text 6\nmore');
      await csv.close();
      await csv.close();
    }
    await expect(readCsv(gzipSync(bytes).subarray(0, 5000))).rejects.toThrow(
      expect.objectContaining({ code: 'ERR_TRUNCATED' }),
    );
    // Errors name the file that was given, not where it was decompressed to.
    writeFileSync(`${path}.cut.gz`, gzipSync(bytes).subarray(0, 5000));
    writeFileSync(`${path}.bad.gz`, gzipSync('a,b\n1\n'));
    await expect(readCsv(`${path}.cut.gz`)).rejects.toMatchObject({ code: 'ERR_TRUNCATED', path: `${path}.cut.gz` });
    await expect(readCsv(`${path}.bad.gz`)).rejects.toThrow(`${path}.bad.gz: line 2: expected 2 cells`);
  });

  it('zstd where the runtime has it, else a clear error', async () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
    if (zstdCompressSync === undefined)
      await expect(readCsv(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0))).rejects.toThrow(
        expect.objectContaining({ code: 'ERR_FEATURE' }),
      );
    else expect((await readCsv(zstdCompressSync(bytesOf('a\n1\n')))).rowCount).toBe(1);
  });

  it('whatever is kept in memory, and in whatever order it is read', async () => {
    for (const memoryBytes of [0, 3_000_000, 2 ** 28]) {
      const csv = await readCsv(bytesOf(text), { memoryBytes });
      for (const column of [2, 2, 0, 2, 1]) {
        for (let start = 0; start < csv.rowCount; start += 50_000) {
          const chunk = await csv.columns[column]!.read(start, start + 50_000).run(new WorkContext());
          if (chunk.kind === 'fixed' && column === 2)
            expect(new Float64Array(chunk.bytes.slice().buffer).at(-1)).toBe((start + 49_999) / 4);
        }
      }
      expect(valuesOf(csv.columns[1]!.read(149_999, 150_000).runSync(new WorkContext()))).toEqual(['text 3\nmore']);
    }
  });

  it('a long stream goes to a temporary file, which is gone in the end', async () => {
    const before = temporaryFolders();
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield bytesOf('a,b\n');
      const chunk = bytesOf('12345,some text\n'.repeat(65_536));
      for (let each = 0; each < 66; each += 1) yield chunk;
    }
    const csv = await readCsv(chunks());
    expect(csv.rowCount).toBe(66 * 65_536);
    expect(temporaryFolders().length).toBe(before.length + 1);
    expect(valuesOf(await csv.columns[1]!.read(4_000_000, 4_000_001).run(new WorkContext()))).toEqual(['some text']);
    await csv.close();
    expect(temporaryFolders()).toEqual(before);
    await expect(csv.columns[1]!.read(0, 1).run(new WorkContext())).rejects.toThrow(
      expect.objectContaining({ code: 'ERR_CLOSED' }),
    );
  });

  it.each(['plain', 'gzip'])('an abort does not wait for a %s stream that goes on for ever', async (form) => {
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield form === 'plain' ? bytesOf('a,b\n1,2\n') : gzipSync('a,b\n1,2\n').subarray(0, 12);
      await new Promise(() => undefined);
    }
    const stop = new AbortController();
    const reading = readCsv(silent(), { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 5);
    await expect(reading).rejects.toThrow('enough');
  });

  it('a stream that fails, and a signal', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytesOf('a\n1\n');
      throw new Error('gone');
    }
    await expect(readCsv(failing())).rejects.toThrow('gone');
    await expect(readCsv(bytesOf(text), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

const temporaryFolders = (): string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith('colkit-text-'))
    .sort();
