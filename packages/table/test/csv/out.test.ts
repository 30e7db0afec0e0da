// CSV out, and in again.
import { MemorySink } from '@colkit/io';
import { tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, toCsv } from '../../src/csv/index.ts';
import { Table, toInputColumns } from '../../src/index.ts';
import { readAll } from '../support/inputs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { tableFrom } from '../support/tables.ts';
import { bytesOf } from './csv-values.ts';

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

  it.each([',', '\t'])('names of blanks or with a byte order mark come in again, separator %j', async (separator) => {
    for (const name of [' ', '\t', '\r', '\u00a0 ', '\ufeff', '\ufeffid', ' id ', 'a\0'])
      for (const names of [[name], [name, 'x'], ['x', name]]) {
        const columns = names.map((each) => ({ name: each, dtype: 'string', nullable: false, values: ['v'] }) as const);
        const csv = bytesOf(await csvOf(new Table(new MemoryTable({ rowCount: 1, columns })), { separator }));
        expect(await readAll(toInputColumns(await readCsv(csv, { separator })))).toEqual(
          Object.fromEntries(names.map((each) => [each, ['v']])),
        );
      }
  });

  it('a first text with a byte order mark comes in again where there are no names', async () => {
    for (const values of [
      ['\ufeff', '\ufeffx'],
      ['\ufeffx,', 'y'],
      ['x\ufeff', 'y'],
    ]) {
      const columns = [{ name: 'a', dtype: 'string', nullable: false, values }] as const;
      const csv = bytesOf(await csvOf(new Table(new MemoryTable({ rowCount: 2, columns })), { header: false }));
      const read = await readCsv(csv, { header: false, names: ['a'] });
      expect(await readAll(toInputColumns(read))).toEqual({ a: values });
    }
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

  const COLUMNS = [
    { name: 'a', dtype: 'int32', nullable: true, values: [0, null, -3] },
    { name: 'b', dtype: 'bool', nullable: true, values: [true, null, false] },
    { name: 'c', dtype: 'float64', nullable: true, values: [0, null, -1.5e-7] },
    { name: 'd', dtype: 'float64', nullable: true, values: [NaN, null, Infinity] },
    { name: 'e', dtype: 'datetime64[ms]', nullable: false, values: [0n, -(2n ** 63n), -1n] },
    { name: 'f', dtype: 'string', nullable: true, values: ['0', null, 'x'] },
    { name: 'g', dtype: 'uint64', nullable: true, values: [2n ** 64n - 1n, null, 0n] },
  ];
  it.each(['0', '-3', 'true', 'nan', 'inf', '-1.5e-7', '1970-01-01T00:00:00', 'NaT', '18446744073709551615', ''])(
    'values that look like the null word %j, or hold the separator, come in again',
    async (nullWord) => {
      const types = Object.fromEntries(COLUMNS.map(({ name, dtype }) => [name, dtype as 'int32']));
      for (const separator of [',', ':', '.', '-', 'e', '0', 'T', 'a', 't', '+', ' ']) {
        if (nullWord.includes(separator)) continue;
        const table = new Table(new MemoryTable({ rowCount: 3, columns: COLUMNS }));
        const text = await csvOf(table, { separator, nullWord });
        const csv = await readCsv(bytesOf(text), { separator, nullWords: [nullWord], types });
        const got = await readAll(toInputColumns(csv));
        // NaT is null in CSV.
        for (const { name, values } of COLUMNS)
          expect(got[name], `${name} by ${separator}`).toEqual(name === 'e' ? [0n, null, -1n] : values);
      }
    },
  );

  it('types are found out, and nulls told from values, in quoted cells too', async () => {
    const rows = Array.from({ length: 2000 }, (_, row) => row);
    const columns = [
      {
        name: 'i',
        dtype: 'int64',
        nullable: true,
        values: rows.map((row) => (row % 7 === 0 ? null : BigInt(row % 3))),
      },
      {
        name: 'f',
        dtype: 'float64',
        nullable: true,
        values: rows.map((row) => (row % 5 === 0 ? null : (row % 4) / 2)),
      },
      { name: 'd', dtype: 'datetime64[D]', nullable: true, values: rows.map((row) => (row % 9 ? BigInt(row) : null)) },
      { name: 'b', dtype: 'bool', nullable: true, values: rows.map((row) => (row % 11 ? row % 2 === 0 : null)) },
    ];
    for (const [separator, nullWord] of [
      [',', '0'],
      ['-', '1.5'],
      ['.', '1970-01-05'],
      ['t', '1'],
      [',', 'false'],
    ] as const) {
      const text = await csvOf(new Table(new MemoryTable({ rowCount: rows.length, columns })), { separator, nullWord });
      const csv = await readCsv(bytesOf(text), { separator, nullWords: [nullWord] });
      expect(csv.fields.map(({ dtype }) => dtype)).toEqual(columns.map(({ dtype }) => dtype));
      const got = await readAll(toInputColumns(csv));
      for (const { name, values } of columns) expect(got[name]).toEqual(values);
    }
  });

  // As numpy writes them.
  it.each([
    ['float32', [0.1, -0.3, 1 / 3, 2 ** 24, 512.33, 100_000.01, 2.5e-6, 1e-45, 3.4028234663852886e38, -0, 1e21, 0.7]],
    ['float16', [0.0999755859375, -0.300048828125, 0.333251953125, 65504, 2 ** -24, -0]],
  ] as const)('%s has the digits of its precision', async (dtype, values) => {
    const written = {
      float32: '0.1 -0.3 0.33333334 16777216 512.33 100000.01 0.0000025 1e-45 3.4028235e+38 -0 1e+21 0.7',
      float16: '0.1 -0.3 0.3333 65500 6e-8 -0',
    }[dtype];
    const csv = await csvOf(tableFrom({ x: [dtype, values] }), { header: false });
    expect(csv.trimEnd().split('\n')).toEqual(written.split(' '));
  });

  it('floats beyond 2^53 come in again as they were, without types', async () => {
    const values = [1234567890123456768, -(2 ** 53), 2 ** 63, 1e20];
    const csv = await csvOf(tableFrom({ double: ['float64', values], single: ['float32', values.map(Math.fround)] }));
    expect(csv.split('\n')[1]).toBe('1.2345678901234568e+18,1.234568e+18');
    const { double, single } = await readAll(toInputColumns(await readCsv(bytesOf(csv))));
    expect([double, single?.map((value) => Math.fround(value as number))]).toEqual([values, values.map(Math.fround)]);
  });

  it('nothing is quoted that need not be', async () => {
    const table = new Table(new MemoryTable({ rowCount: 3, columns: COLUMNS }));
    expect(await csvOf(table, { nullWord: '0' })).toBe(
      'a,b,c,d,e,f,g\n"0",true,"0",nan,1970-01-01T00:00:00.000,"0",18446744073709551615\n0,0,0,0,0,0,0\n' +
        '-3,false,-1.5e-7,inf,1969-12-31T23:59:59.999,x,"0"\n',
    );
    expect(await csvOf(table, { separator: ':' })).toContain('0:true:0:nan:"1970-01-01T00:00:00.000":0:');
  });

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
