// Types and names of CSV: found out over all rows, or given.
import { float64Arbitrary, integerArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../src/csv/index.ts';
import type { CsvOptions } from '../../src/csv/index.ts';
import { toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { bytesOf, types, values } from './csv-values.ts';

describe('types', () => {
  it.each([
    ['true,False,TRUE', 'bool'],
    ['1,-2,0', 'int64'],
    ['1,2.5,-1e3', 'float64'],
    ['1,nan,-inf,Infinity', 'float64'],
    ['9223372036854775807,-9223372036854775808', 'int64'],
    ['9223372036854775808,1', 'uint64'],
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
    // Integers beyond int64 are uint64 where all of them are, as of JSON.
    ['18446744073709551615', 'uint64'],
    ['0,18446744073709551615,,-0', 'uint64?'],
    ['18446744073709551617', 'string'],
    ['18446744073709551615,-1', 'string'],
    ['-1,0.5,9223372036854775808', 'float64'],
    ['18446744073709551615,0.5', 'string'],
    ['0018446744073709551615', 'string'],
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
        'b,i,f,d,t,s\ntrue,-9007199254740993,0.1,2024-02-29,1969-12-31 23:59:59.5,x\n' +
          'FALSE,9223372036854775807,-1.5e-7,0001-01-01,9999-12-31T23:59:59.999999,"a ""b"", c"\n',
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

  it.each([
    ['18446744073709551615', 'uint64', 18446744073709551615n],
    ['9223372036854775808', 'uint64', 9223372036854775808n],
    ['-1', 'int64', -1n],
  ])('the last of many integers is %s', async (last, dtype, value) => {
    const rows = Array.from({ length: 60_000 }, (_, row) => String(row % 7));
    const text = `a\n${rows.join('\n')}\n${last}\n`;
    expect(await types(text)).toEqual([dtype]);
    const a = (await values(text))['a'] as bigint[];
    expect([a[5], a.length, a.at(-1)]).toEqual([5n, 60_001, value]);
    expect(await types(text.replace('\n3\n', '\n-3\n'))).toEqual([
      last === '-1' ? 'int64' : last.endsWith('8') ? 'float64' : 'string',
    ]);
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

  it('float32 is the nearest float32, or refused', async () => {
    // What DuckDB gives: rounded to a double first, some would become the other neighbour.
    const texts = [
      '1.00000017881393432617187499',
      '1.00000017881393432617187500',
      '1.00000017881393432617187501',
      '-1.00000017881393432617187499',
      '+16777217',
      '16777217.0000000000001',
      '7.006492321624086e-46',
      'inf',
      '-Infinity',
      'nan',
      '3.4028235e38',
    ];
    const types = { v: 'float32' } as const;
    expect((await values(`v\n${texts.join('\n')}\n`, { types }))['v']).toEqual([
      1.0000001192092896,
      1.000000238418579,
      1.000000238418579,
      -1.0000001192092896,
      16777216,
      16777218,
      1.401298464324817e-45,
      Infinity,
      -Infinity,
      NaN,
      3.4028234663852886e38,
    ]);
    for (const wrong of ['1e300', '-1e39', '1e400', '3.5e38', `${'9'.repeat(39)}.`]) {
      await expect(values(`v\n1\n${wrong}\n`, { types })).rejects.toThrow(`line 3: expected float32`);
      expect(await values(`v\n1\n${wrong}\n`, { types, onError: 'skip' })).toEqual({ v: [1] });
    }
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
      'i,w,u,f,d\n007,-000000000000000000012,00018446744073709551615,-00.5,9007199254740993\n' +
      '0,00000000000000000000,0,012,\n12,5,7,1e3,0009\n';
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
      'i,w,u,f,b,t,s,d\n+5,5.0,1e3,+.5,yes,2024-01-01T02:00:00+02:00,2024-01-01 00:00:00-0130,2024-01-01\n' +
      '5.,-1.50e1,+18446744073709551615,5.,F,2024-01-01 00:00:00.25 UTC,2024-01-01 ' +
      '02:00+02,2024-01-01T00:00:00Z\n' +
      '007,9223372036854775807.0,0e9,-inf,0,2024-01-01T00:00:00.1234560,2024-01-01,2024-01-02 00:00\n' +
      '-0,-9223372036854775808,00,+NaN,N,2024-01-01,2024-01-01T00:00:00+00:00,2024-01-03T01:00+01:00\n';
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

  it('tells where the only name holds what separates cells in many files', async () => {
    const notes = async (text: string, options: CsvOptions = {}): Promise<readonly string[]> =>
      (await readCsv(bytesOf(text), options)).notes.map(({ column, note }) => `${column}: ${note}`);
    expect(await notes('a;b\n1;2\n')).toEqual(['a;b: it is the only one; ";" may be the separator']);
    // The rows of a file with decimal commas have other numbers of cells.
    await expect(notes('a;b\n1,5;2\n')).rejects.toThrow(
      `: line 2: expected 1 cells but found 2; ";" may be the separator ({ onError: 'skip' } leaves such rows out)`,
    );
    for (const names of [undefined, ['p', 'q']])
      await expect(notes('a,b\n1,2,3\n', names === undefined ? {} : { names })).rejects.toThrow(
        'line 2: expected 2 cells but found 3; rows have one cell more than the header; { names } names all columns (',
      );
    await expect(notes('a,b\n1,2\n1,2,3\n')).rejects.toThrow('line 3: expected 2 cells but found 3 ({ onError');
    expect(await notes('a\tb\n')).toEqual(['a\tb: it is the only one; "\\t" may be the separator']);
    expect(await notes('a,b\n1,2\n', { separator: ';' })).toEqual([
      'a,b: it is the only one; "," may be the separator',
    ]);
    expect(await notes('a;b\n1;2\n', { separator: ';' })).toEqual([]);
    expect(await notes('a;b,c\n1,2\n')).toEqual([]);
    expect(await notes('a b\n1\n')).toEqual([]);
    expect(await notes('a;b\n', { names: ['x'] })).toEqual([]);
    expect(await notes('a;b\n', { header: false })).toEqual([]);
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
    ['"", ,b', ['column0', 'column1', 'b']],
    ['a,b,c,d,e,f,g,h,i,j,k,', [...'abcdefghijk', 'column11']],
    [`,${'abcdefghij'.split('').join(',')}`, ['column00', ...'abcdefghij']],
    // Not as DuckDB: names are their own, whatever their case and their blanks.
    ['a,A, a', ['a', 'A', ' a']],
  ])('%s', async (header, names) => {
    const csv = await readCsv(bytesOf(`${header}\n${names.map(() => '1').join(',')}\n`));
    expect(csv.fields.map(({ name }) => name)).toEqual(names);
    expect(csv.notes.map(({ column }) => column)).toEqual(
      names.filter((name, index) => name !== header.split(',')[index]),
    );
  });

  it('blanks in quotes are a name', async () => {
    const csv = await readCsv(bytesOf('""," ", \n1,2,3\n'));
    expect(csv.fields.map(({ name }) => name)).toEqual(['column0', ' ', 'column2']);
    expect(csv.notes.map(({ column }) => column)).toEqual(['column0', 'column2']);
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
