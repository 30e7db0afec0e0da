// Arrow out and in, against apache-arrow itself.
import { WorkContext } from '@colkit/io/effects';
import * as arrow from 'apache-arrow';
import { ALL_DTYPES, tableArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Table, toInputColumns } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { readAll } from '../support/inputs.ts';
import { oracleOf, tableFrom } from '../support/tables.ts';

const NAT = -(2n ** 63n);

describe('toArrow', () => {
  test('gives Arrow types and values, through IPC too', async () => {
    const table = await tableFrom({
      b: ['bool', [true, false, true]],
      i: ['int16', [1, -2, 3]],
      u: ['uint64', [1n, 2n ** 64n - 1n, 0n]],
      h: ['float16', [0.5, -2, 0]],
      f: ['float32', [0.5, Number.NaN, -0]],
      n: ['int32?', [1, null, 3]],
      s: ['S2', ['é', '', 'x']],
      t: ['string?', ['a', null, '😀']],
      y: ['binary', [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)]],
      nb: ['bool?', [null, true, false]],
    }).toArrow<arrow.Table>();
    expect(table).toBeInstanceOf(arrow.Table);
    expect(
      table.schema.fields.map(({ name, type, nullable }) => `${name}: ${String(type)}${nullable ? '?' : ''}`),
    ).toEqual([
      'b: Bool',
      'i: Int16',
      'u: Uint64',
      'h: Float16',
      'f: Float32',
      'n: Int32?',
      's: Utf8',
      't: Utf8?',
      'y: Binary',
      'nb: Bool?',
    ]);
    for (const form of [table, arrow.tableFromIPC(arrow.tableToIPC(table))]) {
      const values = Object.fromEntries(form.schema.fields.map(({ name }) => [name, [...form.getChild(name)!]]));
      expect(values).toEqual({
        b: [true, false, true],
        i: [1, -2, 3],
        u: [1n, 2n ** 64n - 1n, 0n],
        h: [0.5, -2, 0],
        f: [0.5, Number.NaN, -0],
        n: [1, null, 3],
        s: ['é', '', 'x'],
        t: ['a', null, '😀'],
        y: [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)],
        nb: [null, true, false],
      });
    }
  });

  test('datetimes are timestamps or days, timedeltas durations, NaT is null', async () => {
    const table = await tableFrom({
      us: ['datetime64[us]', [1n, NAT]],
      s25: ['datetime64[25s]', [3n, 0n]],
      h: ['datetime64[h]', [2n, -1n]],
      D: ['datetime64[D]', [19782n, NAT]],
      W: ['datetime64[W]', [-1n, 1n]],
      M: ['datetime64[M]', [649n, -1n]],
      Y: ['datetime64[2Y]', [27n, 0n]],
      ns: ['timedelta64[ns]', [7n, NAT]],
      d: ['timedelta64[D]', [2n, 1n]],
      m: ['timedelta64[m]?', [null, 5n]],
    }).toArrow<arrow.Table>();
    expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
      'Timestamp<MICROSECOND>',
      'Timestamp<SECOND>',
      'Timestamp<SECOND>',
      'Date32<DAY>',
      'Date32<DAY>',
      'Date32<DAY>',
      'Date32<DAY>',
      'Duration<NANOSECOND>',
      'Duration<SECOND>',
      'Duration<SECOND>',
    ]);
    const raw = (name: string) => [...(table.getChild(name)!.data[0]!.values as Iterable<number | bigint>)];
    expect([raw('s25'), raw('h'), raw('W'), raw('M'), raw('Y'), raw('d'), raw('m')]).toEqual([
      [75n, 0n],
      [7200n, -3600n],
      [-7, 7],
      [19754, -31],
      [19723, 0],
      [172800n, 86400n],
      [0n, 300n],
    ]);
    expect(table.getChild('us')!.nullCount).toBe(1);
    expect(
      [...table.getChild('D')!].map((value) =>
        value === null ? null : new Date(value as number).toISOString().slice(0, 10),
      ),
    ).toEqual(['2024-02-29', null]);
    expect([...table.getChild('ns')!]).toEqual([7n, null]);
  });

  test('texts are codes into distinct ones where that is asked for', async () => {
    const table = tableFrom({
      t: ['string?', ['b', null, 'a', 'b', '', '😀', 'a']],
      n: ['string?', [null, null, null, null, null, null, null]],
      s: ['S2', ['é', '', 'x', 'é', 'é', '', '']],
      i: ['int8', [1, 2, 3, 4, 5, 6, 7]],
    });
    const made = await table.toArrow<arrow.Table>({ strings: 'dictionary' });
    expect(made.schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable])).toEqual([
      ['t', 'Dictionary<Int32, Utf8>', true],
      ['n', 'Dictionary<Int32, Utf8>', true],
      ['s', 'Dictionary<Int32, Utf8>', false],
      ['i', 'Int8', false],
    ]);
    const texts = made.getChild('t')!.data[0] as arrow.Data<arrow.Dictionary>;
    expect([...texts.values]).toEqual([0, 0, 1, 0, 2, 3, 1]);
    expect([texts.nullCount, texts.dictionary?.length]).toEqual([1, 4]);
    for (const form of [made, arrow.tableFromIPC(arrow.tableToIPC(made))])
      expect(form.toArray().map((row) => ({ ...(row as object) }))).toEqual(await table.toRows());
    // One that is empty, and rows that match.
    expect((await table.head(0).toArrow<arrow.Table>({ strings: 'dictionary' })).numRows).toBe(0);
    const found = await table.where("t = 'a'").toArrow<arrow.Table>({ strings: 'dictionary' });
    expect([...found.getChild('t')!]).toEqual(['a', 'a']);
    expect([...found.getChild('i')!]).toEqual([3, 7]);
    expect(await table.toArrow({ strings: 'bytes' as never }).catch((error: unknown) => error)).toMatchObject({
      code: 'ERR_ARGUMENT',
    });
  });

  test('follows the view, and takes any name', async () => {
    const table = new Table(
      new MemoryTable(
        oracleOf({ ['__proto__']: ['int8', [1, 2, 3]], 10: ['string', ['a', 'b', 'c']], a: ['float64', [1, 2, 3]] }),
      ),
    );
    const result = await table.slice(undefined, undefined, -1).take([0, 0]).toArrow<arrow.Table>();
    expect(result.numRows).toBe(2);
    expect([...result.getChild('10')!]).toEqual(['c', 'c']);
    const bare = await table.select().toArrow<arrow.Table>();
    expect([bare.numRows, bare.numCols]).toEqual([3, 0]);
  });

  test('refuses what Arrow has no type for, before anything is read', async () => {
    for (const dtype of ['datetime64', 'datetime64[ps]', 'timedelta64[M]', 'timedelta64[as]', 'float128']) {
      const source = new MemoryTable(oracleOf({ x: [dtype, []] }));
      await expect(new Table(source).toArrow()).rejects.toMatchObject({ code: 'ERR_DTYPE', feature: dtype });
      expect(source.requests).toEqual([]);
    }
    await expect(tableFrom({ x: ['datetime64[Y]', [2n ** 40n]] }).toArrow()).rejects.toMatchObject({
      code: 'ERR_VALUE',
    });
    await expect(tableFrom({ x: ['datetime64[25s]', [2n ** 62n]] }).toArrow()).rejects.toMatchObject({
      code: 'ERR_VALUE',
    });
  });
});

describe('Arrow on the way in', () => {
  test('every chunk, offset and null', async () => {
    const make = (from: number) =>
      new arrow.Table({
        i: arrow.vectorFromArray(
          [1, null, 3, 4].map((n) => (n === null ? null : n + from)),
          new arrow.Int32(),
        ),
        f: arrow.makeVector(Float32Array.of(0.5, 1, 1.5, from)),
        u: arrow.vectorFromArray([1n, 2n, 3n, BigInt(from)], new arrow.Uint64()),
        b: arrow.vectorFromArray([true, false, null, true]),
        s: arrow.vectorFromArray(['a', 'b', null, 'a']),
        t: arrow.vectorFromArray(['x', 'é', '', 'z'], new arrow.Utf8()),
        us: arrow.makeVector(
          arrow.makeData({
            type: new arrow.TimestampMicrosecond(),
            length: 4,
            data: BigInt64Array.of(1n, 2n, 3n, 4n),
            nullCount: 1,
            nullBitmap: Uint8Array.of(0b1011),
          }),
        ),
        day: arrow.makeVector(
          arrow.makeData({ type: new arrow.DateDay(), length: 4, data: Int32Array.of(-1, 0, 1, 2), nullCount: 0 }),
        ),
        ns: arrow.makeVector(
          arrow.makeData({
            type: new arrow.DurationNanosecond(),
            length: 4,
            data: BigInt64Array.of(1n, 2n, 3n, 4n),
            nullCount: 0,
          }),
        ),
        h: arrow.makeVector(
          arrow.makeData({
            type: new arrow.Float16(),
            length: 4,
            data: Uint16Array.of(0x3800, 0, 0x8000, 0x7c00),
            nullCount: 0,
          }),
        ),
      });
    const table = make(10).concat(make(20)).slice(1, 7);
    const input = toInputColumns(table);
    expect(input.fields.map(({ name, dtype, nullable }) => `${name}: ${dtype}${nullable ? '?' : ''}`)).toEqual([
      'i: int32?',
      'f: float32',
      'u: uint64',
      'b: bool?',
      's: string?',
      't: string',
      'us: datetime64[us]?',
      'day: datetime64[D]',
      'ns: timedelta64[ns]',
      'h: float16',
    ]);
    expect(await readAll(input)).toEqual({
      i: [null, 13, 14, 21, null, 23],
      f: [1, 1.5, 10, 0.5, 1, 1.5],
      u: [2n, 3n, 10n, 1n, 2n, 3n],
      b: [false, null, true, true, false, null],
      s: ['b', null, 'a', 'a', 'b', null],
      t: ['é', '', 'z', 'x', 'é', ''],
      us: [2n, null, 4n, 1n, 2n, null],
      day: [0n, 1n, 2n, -1n, 0n, 1n],
      ns: [2n, 3n, 4n, 1n, 2n, 3n],
      h: [0, -0, Infinity, 0.5, 0, -0],
    });
    expect(await readAll(toInputColumns(table.select(['us', 'day']), { nulls: 'refuse' }))).toEqual({
      us: [2n, NAT, 4n, 1n, 2n, NAT],
      day: [0n, 1n, 2n, -1n, 0n, 1n],
    });
    expect(() => toInputColumns(table, { nulls: 'refuse' })).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }));
  });

  test('texts are what their bytes say, in every form that Arrow has for them', async () => {
    const texts = ['\uFEFFmarked', 'plain', null, '\uFEFF', 'longer than twelve bytes', '', 'é😀'];
    const utf8 = arrow.vectorFromArray(texts, new arrow.Utf8());
    const [bytes, offsets] = [utf8.data[0]!.values as Uint8Array, utf8.data[0]!.valueOffsets];
    const { nullBitmap } = utf8.data[0]!;
    const rest = { length: texts.length, nullCount: 1, nullBitmap };
    const views = new DataView(new ArrayBuffer(16 * texts.length));
    for (let row = 0; row < texts.length; row += 1) {
      const own = bytes.subarray(offsets[row], offsets[row + 1]);
      views.setInt32(16 * row, own.length, true);
      if (own.length <= 12) own.forEach((byte, i) => views.setUint8(16 * row + 4 + i, byte));
      else views.setInt32(16 * row + 12, offsets[row]!, true);
    }
    const large = {
      ...rest,
      type: new arrow.LargeUtf8(),
      data: bytes,
      valueOffsets: BigInt64Array.from(offsets, BigInt),
    };
    const viewed = {
      ...rest,
      type: new arrow.Utf8View(),
      views: new Uint8Array(views.buffer),
      variadicBuffers: [bytes],
    };
    const codes = Int32Array.of(0, 1, 2, 3, 4, 5, 6);
    const coded = {
      ...rest,
      type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
      data: codes,
      dictionary: utf8,
    };
    const table = new arrow.Table({
      utf8,
      large: arrow.makeVector(arrow.makeData(large)),
      views: arrow.makeVector(arrow.makeData(viewed)),
      codes: arrow.makeVector(arrow.makeData(coded)),
    });
    const all = { utf8: texts, large: texts, views: texts, codes: texts };
    expect(await readAll(toInputColumns(table))).toEqual(all);
    const some = texts.slice(1, 6);
    expect(await readAll(toInputColumns(table.slice(1, 6)))).toEqual({
      utf8: some,
      large: some,
      views: some,
      codes: some,
    });
    expect(await readAll(toInputColumns(table.slice(4).concat(table)))).toMatchObject({
      views: [...texts.slice(4), ...texts],
    });
  });

  test('bytes that are no text, or lie nowhere, are refused by column and row', () => {
    const data = (bytes: readonly number[], valueOffsets: readonly number[]): arrow.Table =>
      new arrow.Table({
        t: arrow.makeVector(
          arrow.makeData({
            type: new arrow.Utf8(),
            length: valueOffsets.length - 1,
            data: Uint8Array.from(bytes),
            valueOffsets: Int32Array.from(valueOffsets),
          }),
        ),
      });
    const refusedAt = (row: number): Error =>
      expect.objectContaining({
        code: 'ERR_VALUE',
        message: expect.stringContaining(`"t": row ${row}`) as string,
      }) as Error;
    const refused = refusedAt(1);
    expect(() => toInputColumns(data([65, 0xff], [0, 1, 2]))).toThrow(refused);
    expect(() => toInputColumns(data([65, 66], [0, 1, 9]))).toThrow(refused);
    expect(() => toInputColumns(data([65, 66], [0, 1, 0]))).toThrow(refused);
    // Each of two texts is half of a character, which is one in both together.
    expect(() => toInputColumns(data([0xc3, 0xa9], [0, 1, 2]))).toThrow(refusedAt(0));
  });

  test('a null may have any bytes, and many texts are looked at together', async () => {
    const texts = Array.from({ length: 3000 }, (_, row) => (row % 7 === 3 ? null : `${'é😀x'.repeat(row % 31)}${row}`));
    const bytes: number[] = [];
    const valueOffsets = [0];
    const nullBitmap = new Uint8Array(Math.ceil(texts.length / 8));
    for (const [row, text] of texts.entries()) {
      if (text !== null) nullBitmap[row >> 3]! |= 1 << (row & 7);
      for (const byte of text === null ? [0xff, 0xa9] : new TextEncoder().encode(text)) bytes.push(byte);
      valueOffsets.push(bytes.length);
    }
    const type = new arrow.Utf8();
    const rest = { type, length: texts.length, valueOffsets: Int32Array.from(valueOffsets) };
    const nullCount = texts.filter((text) => text === null).length;
    const t = arrow.makeVector(arrow.makeData({ ...rest, nullCount, nullBitmap, data: Uint8Array.from(bytes) }));
    expect(await readAll(toInputColumns(new arrow.Table({ t })))).toEqual({ t: texts });
    const legal = arrow.vectorFromArray(texts, type);
    expect(await readAll(toInputColumns(new arrow.Table({ t: legal })))).toEqual({ t: texts });
    bytes[valueOffsets[2998]!] = 0xff;
    const refused = { ...rest, nullCount, nullBitmap, data: Uint8Array.from(bytes) };
    expect(() => toInputColumns(new arrow.Table({ t: arrow.makeVector(arrow.makeData(refused)) }))).toThrow(/row 2998/);
  });

  test('texts of one chunk are not copied, and a dictionary goes along only where it is shorter', () => {
    const t = arrow.vectorFromArray(['a', 'bc', 'd'], new arrow.Utf8());
    const [plain] = toInputColumns(new arrow.Table({ t })).columns;
    const chunk = plain!.read(1, 3).runSync(new WorkContext());
    expect(chunk.kind === 'utf8' && chunk.bytes.buffer).toBe((t.data[0]!.values as Uint8Array).buffer);
    const [coded] = toInputColumns(new arrow.Table({ c: arrow.vectorFromArray(['x', 'yy', 'x', 'z']) })).columns;
    expect(coded!.read(0, 3).runSync(new WorkContext())).toMatchObject({ codes: Uint32Array.of(0, 1, 0) });
    expect(coded!.read(1, 3).runSync(new WorkContext())).toMatchObject({ codes: null, ends: Uint32Array.of(2, 3) });
  });

  test('numbers of one chunk are not copied', () => {
    const values = Float64Array.of(1, 2, 3);
    const [column] = toInputColumns(new arrow.Table({ x: arrow.makeVector(values) })).columns;
    const chunk = column!.read(1, 3).runSync(new WorkContext());
    expect(chunk.kind === 'fixed' && chunk.bytes.buffer).toBe(values.buffer);
  });

  test('types that nothing here stores are refused by name', () => {
    const list = arrow.vectorFromArray([[1], [2]], new arrow.List(new arrow.Field('item', new arrow.Int32())));
    expect(() => toInputColumns(new arrow.Table({ deep: list }))).toThrow(/"deep".*List/);
  });

  test('out and in again', async () => {
    const dtypes = ALL_DTYPES.filter((dtype) => !dtype.includes('25s') && !/^[SU]\d/.test(dtype));
    await fc.assert(
      fc.asyncProperty(tableArbitrary({ dtypes, nullable: true }), async (oracle) => {
        const table = await new Table(new MemoryTable(oracle)).toArrow<arrow.Table>();
        const found = await readAll(toInputColumns(table));
        for (const { name, dtype, values } of oracle.columns) {
          const expected =
            dtype.startsWith('datetime') || dtype.startsWith('timedelta')
              ? values.map((value) => (value === NAT ? null : value))
              : values;
          expect([name, found[name]]).toEqual([name, expected]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
