// CSV in and out: types found out over all rows, nulls, faults with their lines, compression, streams, and what comes
// back.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { MemorySink, MemorySource } from '@colkit/io';
import { float64Arbitrary, integerArbitrary, tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv, toCsv } from '../../src/csv/index.ts';
import type { CsvOptions } from '../../src/csv/index.ts';
import { Table, toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const values = async (text: string, options?: CsvOptions): Promise<Record<string, unknown[]>> =>
  readAll(toInputColumns(await readCsv(bytesOf(text), options)));
const types = async (text: string, options?: CsvOptions): Promise<string[]> =>
  (await readCsv(bytesOf(text), options)).fields.map(({ dtype, nullable }) => `${dtype}${nullable ? '?' : ''}`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-csv-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('types', () => {
  it.each([
    ['true,False,TRUE', 'bool'],
    ['1,-2,0', 'int64'],
    ['1,2.5,-1e3', 'float64'],
    ['1,nan,-inf,Infinity', 'float64'],
    ['9223372036854775807,-9223372036854775808', 'int64'],
    ['9223372036854775808,1', 'float64'],
    ['2024-02-29,1970-01-01', 'datetime64[D]'],
    ['2024-02-29,2024-02-29 12:30', 'datetime64[us]'],
    ['2024-02-29T12:30:01.123456Z', 'datetime64[us]'],
    ['2024-02-30', 'string'],
    ['2024-02-29T24:00', 'string'],
    ['2024-02-29T12:30:01.1234567', 'string'],
    ['007', 'string'],
    ['+5', 'string'],
    ['1.', 'float64'],
    ['.5', 'float64'],
    ['-.75,5.,.5e-3,5.e2', 'float64'],
    ['.', 'string'],
    ['-.', 'string'],
    ['.e1', 'string'],
    ['+.5', 'string'],
    ['1_000', 'string'],
    ['0,1', 'int64'],
    ['yes,no', 'string'],
    ['2024-02-29T12:30+02:00', 'string'],
    ['1e', 'string'],
    ['1,true', 'string'],
    ['1,a', 'string'],
    ['-', 'string'],
    ['1, 2', 'string'],
    ['yes', 'string'],
    ['"1","2"', 'int64'],
    ['', 'string?'],
    ['1,,2', 'int64?'],
    ['1,""', 'string'],
    ['1,"1""0"', 'string'],
    ['0.1,1', 'float64'],
    ['-0,1', 'int64'],
    ['2024-1-1', 'string'],
    // Years with a sign and six digits, as ISO 8601 writes those before 0 and beyond 9999.
    ['-000001-12-31,2024-02-29', 'datetime64[D]'],
    ['2024-02-29,+010000-01-01', 'datetime64[D]'],
    ['-000001-12-31T23:59:59.5,2024-02-29', 'datetime64[us]'],
    ['+999999-01-01', 'datetime64[D]'],
    ['+999999-01-01,2024-02-29T12:30', 'string'],
    ['+999999-01-01T00:00', 'string'],
    ['-000000-01-01', 'string'],
    ['-000001-02-30', 'string'],
    ['-0001-12-31', 'string'],
    ['+010000-01-01x', 'string'],
    ['-000001-12-31,5', 'string'],
    ['-290308-12-21T19:59:05.224193', 'datetime64[us]'],
    // Integers that a double does not hold are no floats.
    ['9007199254740993,0.5', 'string'],
    ['0.5,9007199254740993', 'string'],
    ['9007199254740992,0.5', 'float64'],
    ['18446744073709551615', 'string'],
    ['-9223372036854775809,1', 'string'],
    ['100000000000000000000,0.5', 'float64'],
    ['9223372036854776000,0.5', 'float64'],
    [`${'9'.repeat(400)},0.5`, 'string'],
  ])('%s is %s', async (cells, expected) => {
    expect(await types(`x\n${cells.split(',').join('\n')}\n`)).toEqual([expected]);
  });

  it('values of each', async () => {
    expect(
      await values(
        'b,i,f,d,t,s\ntrue,-9007199254740993,0.1,2024-02-29,1969-12-31 23:59:59.5,x\nFALSE,9223372036854775807,-1.5e-7,0001-01-01,9999-12-31T23:59:59.999999,"a ""b"", c"\n',
      ),
    ).toEqual(
      Object.assign(Object.create(null) as object, {
        b: [true, false],
        i: [-9007199254740993n, 9223372036854775807n],
        f: [0.1, -1.5e-7],
        d: [19782n, -719162n],
        t: [-500_000n, 253402300799999999n],
        s: ['x', 'a "b", c'],
      }),
    );
  });

  it('all of the rows decide, not the first ones', async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `${String(row)},${String(row)},${String(row)}`);
    rows[59_999] = '5,5.5,x';
    expect(await types(`a,b,c\n${rows.join('\n')}`)).toEqual(['int64', 'float64', 'string']);
  });

  it('floats are the nearest doubles, integers exact', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(float64Arbitrary.filter(Number.isFinite), { minLength: 1 }),
        fc.array(integerArbitrary(-(2n ** 63n), 2n ** 63n - 1n), { minLength: 1 }),
        async (floats, integers) => {
          const got = await values(`x\n0.5\n${floats.map((value) => String(value)).join('\n')}`);
          expect(got['x']!.slice(1).map((value) => (value as number) + 0)).toEqual(floats.map((value) => value + 0));
          expect((await values(`x\n${integers.join('\n')}`))['x']).toEqual(integers);
        },
      ),
      { numRuns: 60 },
    );
    const texts = [
      '0.30000000000000004',
      '123456789012345.6',
      '1234567890123456789.5',
      '0.000000000000000000000001',
      '4.9e-324',
      '1e400',
      '9007199254740993.0',
      '0.1234567890123456789012345',
    ];
    expect((await values(`x\n${texts.join('\n')}`))['x']).toEqual(texts.map(Number));
  });

  it('given ones', async () => {
    const text = 'a,b,c,d,e,f\n1,1.5,007,200,2024-01-01T00:00:00.25,18446744073709551615\n,,,,,\n';
    const given = { a: 'int8', b: 'float32', c: 'string', d: 'uint8', e: 'datetime64[ms]', f: 'uint64' } as const;
    expect(await types(text, { types: given })).toEqual([
      'int8?',
      'float32?',
      'string?',
      'uint8?',
      'datetime64[ms]?',
      'uint64?',
    ]);
    expect(Object.values(await values(text, { types: new Map(Object.entries(given)) }))).toEqual([
      [1, null],
      [1.5, null],
      ['007', null],
      [200, null],
      [1704067200250n, null],
      [18446744073709551615n, null],
    ]);
    expect(await values('a,b\nxy,é\nz,"q""q"\n', { types: { a: 'S2', b: 'U3' } })).toEqual(
      Object.assign(Object.create(null) as object, { a: ['xy', 'z'], b: ['é', 'q"q'] }),
    );
    expect(await values('a\né\n"x""y"\n', { types: { a: 'S3' } })).toEqual(
      Object.assign(Object.create(null) as object, { a: ['é', 'x"y'] }),
    );
  });

  it('given numbers may have zeros before them, and floats round integers', async () => {
    const text =
      'i,w,u,f,d\n007,-000000000000000000012,00018446744073709551615,-00.5,9007199254740993\n0,00000000000000000000,0,012,\n12,5,7,1e3,0009\n';
    const types = { i: 'int16', w: 'int64', u: 'uint64', f: 'float32', d: 'float64' } as const;
    expect(Object.values(await values(text, { types }))).toEqual([
      [7, 0, 12],
      [-12n, 0n, 5n],
      [18446744073709551615n, 0n, 7n],
      [-0.5, 12, 1000],
      [9007199254740992, null, 9],
    ]);
    for (const [dtype, cell] of [
      ['int16', '0032768'],
      ['int64', '9223372036854775808'],
      ['uint64', '18446744073709551616'],
      ['float64', '00x'],
      ['int32', '0-1'],
      ['int32', '00.5'],
    ] as const) {
      expect([
        cell,
        (await readCsv(bytesOf(`a\n${cell}\n`), { types: { a: dtype }, onError: 'skip' })).rejectedCount,
      ]).toEqual([cell, 1]);
    }
  });

  it('given ones take what people write for them', async () => {
    const text =
      'i,w,u,f,b,t,s,d\n+5,5.0,1e3,+.5,yes,2024-01-01T02:00:00+02:00,2024-01-01 00:00:00-0130,2024-01-01\n5.,-1.50e1,+18446744073709551615,5.,F,2024-01-01 00:00:00.25 UTC,2024-01-01 02:00+02,2024-01-01T00:00:00Z\n' +
      '007,9223372036854775807.0,0e9,-inf,0,2024-01-01T00:00:00.1234560,2024-01-01,2024-01-02 00:00\n-0,-9223372036854775808,00,+NaN,N,2024-01-01,2024-01-01T00:00:00+00:00,2024-01-03T01:00+01:00\n';
    const given = {
      i: 'int8',
      w: 'int64',
      u: 'uint64',
      f: 'float64',
      b: 'bool',
      t: 'datetime64[us]',
      s: 'datetime64[s]',
      d: 'datetime64[D]',
    } as const;
    const csv = await readCsv(bytesOf(text), { types: given });
    expect(csv.fields.map(({ dtype }) => dtype)).toEqual(Object.values(given));
    const day = 1_704_067_200n;
    expect(Object.values(await readAll(toInputColumns(csv)))).toEqual([
      [5, 5, 7, 0],
      [5n, -15n, 2n ** 63n - 1n, -(2n ** 63n)],
      [1000n, 2n ** 64n - 1n, 0n, 0n],
      [0.5, 5, -Infinity, NaN],
      [1, 0, 0, 0].map((bit) => bit === 1),
      [day * 1_000_000n, day * 1_000_000n + 250_000n, day * 1_000_000n + 123_456n, day * 1_000_000n],
      [day + 5400n, day, day, day],
      [19_723n, 19_723n, 19_724n, 19_725n],
    ]);
    expect(csv.notes).toEqual([
      { column: 't', note: '1 time with an offset became UTC' },
      { column: 's', note: '2 times with an offset became UTC' },
      { column: 'd', note: '1 time with an offset became UTC' },
    ]);
  });

  it('a plus before digits, and a minus alone before a separator that is a point', async () => {
    expect(await values('w\n+7\n-7\n+9223372036854775807\n', { types: { w: 'int64' } })).toEqual(
      Object.assign(Object.create(null) as object, { w: [7n, -7n, 2n ** 63n - 1n] }),
    );
    expect(await values('a.b\n-.1\n', { separator: '.' })).toEqual(
      Object.assign(Object.create(null) as object, { a: ['-'], b: [1n] }),
    );
  });

  it('text of fixed width, for formats without any other', async () => {
    expect(await types('a,b\nxyz,1\nq,2\n', { text: 'fixed' })).toEqual(['S3', 'int64']);
    expect(await types('a\né\nzzz\n', { text: 'fixed' })).toEqual(['U3']);
    expect((await values('a\né\n"z""z"\n', { text: 'fixed' }))['a']).toEqual(['é', 'z"z']);
  });
});

describe('dialects', () => {
  it.each<[string, string, CsvOptions, Record<string, unknown[]>]>([
    ['CRLF, BOM, blank lines', '\ufeffa,b\r\n1,2\r\n\r\n3,4\r\n', {}, { a: [1n, 3n], b: [2n, 4n] }],
    ['no line break at the end', 'a,b\n1,2', {}, { a: [1n], b: [2n] }],
    ['semicolons and single quotes', "a;b\n'1;1';2\n", { separator: ';', quote: "'" }, { a: ['1;1'], b: [2n] }],
    ['tabs without quotes', 'a\tb\n"x\t1\n', { separator: '\t', quote: null }, { a: ['"x'], b: [1n] }],
    ['no header', '1,x\n2,y\n', { header: false }, { column0: [1n, 2n], column1: ['x', 'y'] }],
    ['other names', 'a,a\n1,2\n', { names: ['p', 'q'] }, { p: [1n], q: [2n] }],
    ['names without header', '1,2\n', { header: false, names: ['p', 'q'] }, { p: [1n], q: [2n] }],
    ['null words', 'a,b\nNA,-\n1,2\n"NA",3\n', { nullWords: ['NA', '-'] }, { a: [null, '1', 'NA'], b: [null, 2n, 3n] }],
    ['empty text is not null where it is quoted', 'a,b\n"",\nx,\n', {}, { a: ['', 'x'], b: [null, null] }],
    ['one column: an empty line is a null', 'a\n1\n\n2\n', {}, { a: [1n, null, 2n] }],
    ['line breaks in quotes', 'a,b\n"x\ny\r\nz",1\n', {}, { a: ['x\ny\r\nz'], b: [1n] }],
    ['names that are no words', '__proto__,"a ""b"""\n1,2\n', {}, { ['__proto__']: [1n], 'a "b"': [2n] }],
    ['a header and nothing else', 'a,b\n', {}, { a: [], b: [] }],
  ])('%s', async (_, text, options, expected) => {
    expect(Object.entries(await values(text, options))).toEqual(Object.entries(expected));
  });

  it.each<[string, string, CsvOptions, string]>([
    ['nothing', '', {}, 'ERR_SCHEMA'],
    ['given names that come twice', 'a,a\n', { names: ['a', 'a'] }, 'ERR_SCHEMA'],
    ['too few names', 'a,b\n', { names: ['a'] }, 'ERR_SCHEMA'],
    ['a type of no column', 'a\n', { types: { b: 'int8' } }, 'ERR_SCHEMA'],
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

describe('names, as DuckDB gives them', () => {
  it.each<[string, readonly string[]]>([
    [',a,b', ['column0', 'a', 'b']],
    ['a,,', ['a', 'column1', 'column2']],
    ['a,a,a', ['a', 'a_1', 'a_2']],
    ['a,a,a_1', ['a', 'a_1', 'a_1_1']],
    ['a_1,a,a', ['a_1', 'a', 'a_1_1']],
    ['a_1,a,a,a', ['a_1', 'a', 'a_1_1', 'a_2']],
    ['column1,,x', ['column1', 'column1_1', 'x']],
    [',column0,x', ['column0', 'column0_1', 'x']],
    ['""," ",b', ['column0', 'column1', 'b']],
    ['a,b,c,d,e,f,g,h,i,j,k,', [...'abcdefghijk', 'column11']],
    [`,${'abcdefghij'.split('').join(',')}`, ['column00', ...'abcdefghij']],
    // Not as DuckDB: names are their own, whatever their case and their blanks.
    ['a,A, a', ['a', 'A', ' a']],
  ])('%s', async (header, names) => {
    const csv = await readCsv(bytesOf(`${header}\n${names.map(() => '1').join(',')}\n`));
    expect(csv.fields.map(({ name }) => name)).toEqual(names);
    expect(csv.notes.map(({ column }) => column)).toEqual(
      names.filter((name, place) => name !== header.split(',')[place]),
    );
  });

  it('without a header too', async () => {
    expect((await readCsv(bytesOf('1,2\n'), { header: false })).fields.map(({ name }) => name)).toEqual([
      'column0',
      'column1',
    ]);
    expect((await readCsv(bytesOf(`${'1,'.repeat(10)}1\n`), { header: false })).fields.map(({ name }) => name)[1]).toBe(
      'column01',
    );
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
    ['Parquet', [0x50, 0x41, 0x52, 0x31, 0x15], /read it as what it is/],
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
      const chunk = await csv.columns[0]!.read(70_001, 149_999);
      const ids = new BigInt64Array((chunk as { bytes: Uint8Array }).bytes.slice().buffer);
      expect([ids.length, ids[0], ids.at(-1)]).toEqual([79_998, 70_001n, 149_998n]);
      const texts = csv.columns[1]!.readSync(0, 20_000);
      expect((texts as { readonly values: readonly unknown[] }).values[13_999]).toBe('text 6\nmore');
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
          const chunk = await csv.columns[column]!.read(start, start + 50_000);
          if (chunk.kind === 'fixed' && column === 2)
            expect(new Float64Array(chunk.bytes.slice().buffer).at(-1)).toBe((start + 49_999) / 4);
        }
      }
      expect(csv.columns[1]!.readSync(149_999, 150_000)).toMatchObject({ values: ['text 3\nmore'] });
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
    expect(await csv.columns[1]!.read(4_000_000, 4_000_001)).toMatchObject({ values: ['some text'] });
    await csv.close();
    expect(temporaryFolders()).toEqual(before);
    await expect(csv.columns[1]!.read(0, 1)).rejects.toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
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
    .filter((name) => name.startsWith('colkit-csv-') && !name.startsWith('colkit-csv-test'))
    .sort();

describe('out', () => {
  const csvOf = async (table: Table, options?: Parameters<typeof toCsv>[2]): Promise<string> => {
    const sink = new MemorySink();
    await toCsv(table, sink, options);
    return new TextDecoder().decode(sink.bytes());
  };

  it('comes in again as it was, given the types', async () => {
    const dtypes = ['bool', 'int8', 'uint16', 'int32', 'int64', 'uint64', 'float32', 'float64', 'string', 'U3'];
    await fc.assert(
      fc.asyncProperty(tableArbitrary({ dtypes, nullable: true }), async (table) => {
        const csv = await readCsv(bytesOf(await csvOf(new Table(new MemoryTable(table)))), {
          types: new Map(table.columns.map(({ name, dtype }) => [name, dtype as 'int8'])),
          names: table.columns.map(({ name }) => name),
        });
        const got = await readAll(toInputColumns(csv));
        for (const { name, values: expected } of table.columns) expect(got[name]).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it.each(['datetime64[D]', 'datetime64[s]', 'datetime64[ms]', 'datetime64[us]'] as const)(
    'moments of any year, %s, come in again, with the type and without',
    async (dtype) => {
      const far = {
        'datetime64[D]': [-719529n, 2932897n, 10n ** 8n],
        'datetime64[s]': [-62167219201n, 253402300800n, 10n ** 13n],
        'datetime64[ms]': [-62167219201001n, 253402300800000n, 10n ** 15n],
        'datetime64[us]': [-62167219200000001n, 2n ** 63n - 1n, -(2n ** 63n) + 1n],
      }[dtype];
      const csv = bytesOf(
        await csvOf(
          new Table(
            new MemoryTable({
              rowCount: 5,
              columns: [{ name: 't', dtype, nullable: false, values: [0n, ...far, 86_399n] }],
            }),
          ),
        ),
      );
      expect(await readAll(toInputColumns(await readCsv(csv, { types: { t: dtype } })))).toEqual({
        t: [0n, ...far, 86_399n],
      });
      const scale = { 'datetime64[D]': 1n, 'datetime64[s]': 10n ** 6n, 'datetime64[ms]': 1000n, 'datetime64[us]': 1n }[
        dtype
      ];
      // Without a type, seconds that microseconds cannot count are text.
      if (dtype !== 'datetime64[s]')
        expect(await readAll(toInputColumns(await readCsv(csv)))).toEqual({
          t: [0n, ...far, 86_399n].map((value) => value * scale),
        });
      else expect((await readCsv(csv)).fields[0]!.dtype).toBe('string');
    },
  );

  it('of a filtered view, with other separators and null words', async () => {
    const table = new Table(
      new MemoryTable({
        rowCount: 3,
        columns: [
          { name: 'a', dtype: 'int32', nullable: true, values: [1, null, 3] },
          { name: 's;t', dtype: 'string', nullable: true, values: ['NA', 'x"y', null] },
          { name: 't', dtype: 'datetime64[s]', nullable: false, values: [0n, 1n, -(2n ** 63n)] },
          { name: 'f', dtype: 'float64', nullable: false, values: [NaN, -Infinity, -0] },
        ],
      }),
    );
    expect(await csvOf(table, { separator: ';', nullWord: 'NA' })).toBe(
      'a;"s;t";t;f\n1;"NA";1970-01-01T00:00:00;nan\nNA;"x""y";1970-01-01T00:00:01;-inf\n3;NA;NA;-0\n',
    );
    expect(await csvOf(new Table(table.where('a is not null').select('a').view), { header: false })).toBe('1\n3\n');
    await expect(
      csvOf(
        new Table(
          new MemoryTable({ rowCount: 0, columns: [{ name: 'b', dtype: 'binary', nullable: false, values: [] }] }),
        ),
      ),
    ).rejects.toThrow(expect.objectContaining({ code: 'ERR_DTYPE' }));
    for (const wrong of [
      { nullWord: 'a,b' },
      { nullWord: 5 as never },
      { nullWord: null as never },
      { header: 1 as never },
      { separator: ';;' },
    ])
      await expect(csvOf(table, wrong)).rejects.toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
  });
});
