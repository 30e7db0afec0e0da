// JSON rows in: the forms that files have, types found out over all rows, what is refused, with its line.
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { codeOf } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { toInputColumns } from '../../src/index.ts';
import { JsonFile } from '../../src/json/json-file.ts';
import { parseJsonOptions } from '../../src/json/json-options.ts';
import { readJson } from '../../src/json/index.ts';
import type { JsonInputOptions } from '../../src/json/index.ts';
import { plainSource } from '../../src/text-input/plain-source.ts';
import { readAll } from '../support/inputs.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function valuesOf(text: string, options: JsonInputOptions = {}): Promise<Record<string, unknown[]>> {
  await using input = await readJson(bytesOf(text), options);
  return await readAll(toInputColumns(input));
}

async function typesOf(text: string, options: JsonInputOptions = {}): Promise<Record<string, string>> {
  await using input = await readJson(bytesOf(text), options);
  return Object.fromEntries(input.fields.map(({ name, dtype, nullable }) => [name, nullable ? `${dtype}?` : dtype]));
}

const column = (...values: unknown[]): string => values.map((value) => `{"v":${String(value)}}`).join('\n');

describe('forms', () => {
  const EXPECTED = { a: [1n, 3n], b: ['x', 'y\n{}"'] };
  it.each([
    ['lines', '{"a":1,"b":"x"}\n{"a":3,"b":"y\\n{}\\""}\n'],
    ['lines without an end', '{"a":1,"b":"x"}\n{"a":3,"b":"y\\n{}\\""}'],
    ['lines with CRLF, blank ones and a mark', '\ufeff{"a":1,"b":"x"}\r\n\r\n{"a":3,"b":"y\\n{}\\""}\r\n'],
    ['a list', '[{"a":1,"b":"x"},{"a":3,"b":"y\\n{}\\""}]'],
    ['a list over many lines', '\n\n[\n  {\n    "a": 1,\n    "b": "x"\n  },\n  {"a":3,"b":"y\\n{}\\""}\n]\n'],
    ['values over many lines', '{\n "a": 1,\n "b": "x"\n}\n{\n "a": 3, "b": "y\\n{}\\""\n}\n'],
    ['values on one line', '{"a":1,"b":"x"} {"a":3,"b":"y\\n{}\\""}'],
  ])('%s', async (_, text) => {
    expect(await valuesOf(text)).toEqual(EXPECTED);
    expect(await valuesOf(text, { onError: 'skip' })).toEqual(EXPECTED);
    // In blocks of any size.
    for (const blockBytes of [1, 2, 7, 30]) {
      const plan = parseJsonOptions({});
      const file = new JsonFile(await plainSource(bytesOf(text), undefined), plan);
      const fields = await file.look(blockBytes);
      expect(file.rowCount).toBe(2);
      expect(fields.map(({ name }) => name)).toEqual(['a', 'b']);
      expect(file.blocks.length).toBeGreaterThan(blockBytes === 1 ? 1 : 0);
      const chunks = await Promise.all(file.blocks.map((block) => file.parse(fields, block, { start: 0, end: 2 })));
      expect(chunks.map(([a]) => a?.rowCount).reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(2);
    }
  });

  /** Three blocks of a megabyte, of which the first alone says something else than all of them. */
  it.each([
    ['an integer, then fractions', 'float64', (row: number) => (row < 15_000 ? row : row + 0.5)],
    ['small, then beyond 2^53', 'int64', (row: number) => (row < 15_000 ? BigInt(row) : 2n ** 60n + BigInt(row))],
    ['days, then moments', 'datetime64[us]', (row: number) => (row < 15_000 ? '2024-05-01' : '2024-05-01T00:00:01Z')],
    ['days, then words', 'string', (row: number) => (row < 15_000 ? '2024-05-01' : `day ${String(row)}`)],
    ['words that repeat, then none', 'string', (row: number) => (row < 15_000 ? `w${String(row % 7)}` : null)],
    ['null, then words', 'string', (row: number) => (row < 15_000 ? null : 'é'.repeat(row % 5))],
    ['all alike', 'bool', (row: number) => row % 3 === 0],
  ] as const)('of types that a later block tells: %s', async (_, dtype, valueOf) => {
    const rows = Array.from({ length: 30_000 }, (__, row) => row);
    const padding = 'x'.repeat(60);
    const lines = rows.map((row) => {
      const value = valueOf(row);
      const more = row === 29_000 ? ',"late":1' : '';
      const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
      return `{"id":${String(row)},"v":${text},"same":"${padding}${String(row % 5)}"${more}}`;
    });
    lines.splice(100, 0, '{"id":1,');
    lines.splice(20_000, 0, '{"id":"\\ud800"}');
    const text = lines.join('\n');
    const wanted = rows.map((row) => {
      const value = valueOf(row);
      if (dtype === 'datetime64[us]') return BigInt(Date.parse(String(value))) * 1000n;
      return value;
    });
    for (const memoryBytes of [0, 500_000, 2 ** 28]) {
      const found = await valuesOf(text, { memoryBytes, onError: 'skip' });
      expect(Object.keys(found)).toEqual(['id', 'v', 'same', 'late']);
      expect(found['v']).toEqual(wanted);
      expect(found['id']).toEqual(rows.map(BigInt));
      expect(found['same']).toEqual(rows.map((row) => `${padding}${String(row % 5)}`));
      expect(found['late']?.filter((value) => value !== null)).toEqual([1n]);
    }
  });

  it('columns come in the order in which names are written, whatever they are', async () => {
    const text = '{"name":"x","2020":1,"__proto__":2,"10":3}\n{"1":4,"2020":9007199254740993,"20\\u0031\\u0031":[5]}\n';
    await using input = await readJson(bytesOf(text), { nested: 'single' });
    expect(input.fields.map(({ name }) => name)).toEqual(['name', '2020', '__proto__', '10', '1', '2011']);
    expect(Object.entries(await readAll(toInputColumns(input)))).toContainEqual(['2020', [1n, 9007199254740993n]]);
  });

  it('gzip and streams', async () => {
    const text = '{"a":1}\n{"a":2}\n';
    for (const input of [gzipSync(text), Readable.from([bytesOf('{"a":1}\n{"a'), bytesOf('":2}\n')])]) {
      await using read = await readJson(input);
      expect(await readAll(toInputColumns(read))).toEqual({ a: [1n, 2n] });
    }
  });

  it('an empty list has no columns; rows without members have none', async () => {
    for (const text of ['', '[]', ' \n ', '{}\n{}']) expect(await codeOf(() => valuesOf(text))).toBe('ERR_SCHEMA');
  });
});

describe('types', () => {
  it('of optional columns: null in every row where none has them', async () => {
    const text = '{"a":1}\n{"a":2,"b":3}';
    const optional = ['c', 'b'];
    const types = { b: 'int32', c: 'S2', a: 'int8' } as const;
    expect(await valuesOf(text, { types, optional })).toEqual({ a: [1, 2], b: [null, 3], c: [null, null] });
    expect(await typesOf(text, { types, optional })).toEqual({ a: 'int8', b: 'int32?', c: 'S2?' });
    const { c } = types;
    expect(await typesOf(text, { types: { c }, optional: ['c'], columns: ['c', 'a'] })).toEqual({
      c: 'S2?',
      a: 'int64',
    });
    expect(await codeOf(() => valuesOf(text, { types, optional: ['b'] }))).toBe('ERR_SCHEMA');
    expect(await codeOf(() => valuesOf(text, { types, optional: ['x'] }))).toBe('ERR_SCHEMA');
  });

  it('are the columns where there are no rows, those that are asked for in their order', async () => {
    for (const text of ['', '[]', '\n']) {
      expect(await typesOf(text, { types: { b: 'int32', a: 'string' } })).toEqual({ b: 'int32', a: 'string' });
      expect(await typesOf(text, { types: { a: 'bool', b: 'S3' }, columns: ['b', 'a'] })).toEqual({
        b: 'S3',
        a: 'bool',
      });
      expect(await codeOf(() => valuesOf(text, { types: { b: 'int32' }, columns: ['a'] }))).toBe('ERR_SCHEMA');
    }
  });

  it.each([
    ['bool', column(true, false), 'bool', [true, false]],
    ['whole numbers', column(1, -2, 9007199254740991), 'int64', [1n, -2n, 9007199254740991n]],
    ['int64', column('9223372036854775807', '-9223372036854775808', 0), 'int64', [2n ** 63n - 1n, -(2n ** 63n), 0n]],
    [
      '2^53 and its neighbours',
      column('9007199254740993', '-9007199254740993'),
      'int64',
      [2n ** 53n + 1n, -(2n ** 53n) - 1n],
    ],
    ['uint64', column('18446744073709551615', 0), 'uint64', [2n ** 64n - 1n, 0n]],
    ['fractions', column(1, 0.1, 1e300, '5e-324'), 'float64', [1, 0.1, 1e300, 5e-324]],
    ['an exponent, first', column('1e18', '2'), 'float64', [1e18, 2]],
    ['an exponent, later', column('2', '1e18'), 'float64', [2, 1e18]],
    ['many digits and an exponent', column('1.2345678901234568e+20'), 'float64', [123456789012345680000]],
    ['zero with a sign', column('-0', 1), 'float64', [-0, 1]],
    ['integers that a double holds beside fractions', column('9007199254740992', 0.5), 'float64', [2 ** 53, 0.5]],
    ['numbers as text beside numbers', column(1, '"NaN"', '"-Infinity"', '"-0"'), 'float64', [1, NaN, -Infinity, -0]],
    ['wide integers as text beside numbers', column(1, '"9007199254740993"'), 'int64', [1n, 2n ** 53n + 1n]],
    ['numbers as text alone', column('"NaN"', '"9007199254740993"'), 'string', ['NaN', '9007199254740993']],
    ['numbers in text', column('"1"', '"2"'), 'string', ['1', '2']],
    ['days', column('"2024-02-29"', '"1969-12-31"'), 'datetime64[D]', [19782n, -1n]],
    ['days that are none', column('"2023-02-29"'), 'string', ['2023-02-29']],
    [
      'moments',
      column('"1970-01-01T00:00:00.000Z"', '"1970-01-01T00:00:01"', '"NaT"'),
      'datetime64[us]',
      [0n, 1_000_000n, -(2n ** 63n)],
    ],
    ['days and moments', column('"1970-01-02"', '"1970-01-01T00:00Z"'), 'datetime64[us]', [86_400_000_000n, 0n]],
    [
      'moments finer than microseconds',
      column('"1970-01-01T00:00:00.0000001Z"'),
      'string',
      ['1970-01-01T00:00:00.0000001Z'],
    ],
    ['moments elsewhere', column('"1970-01-01T00:00:00+02:00"'), 'string', ['1970-01-01T00:00:00+02:00']],
    ['text', column('"a"', '"\\u00e9\\ud83d\\ude00"', '""'), 'string', ['a', 'é😀', '']],
    ['nothing but null', column(null, null), 'string?', [null, null]],
    ['null among others', column(null, 1), 'int64?', [null, 1n]],
  ])('%s', async (_, text, dtype, values) => {
    expect(await typesOf(text)).toEqual({ v: dtype });
    expect(await valuesOf(text)).toEqual({ v: values });
    expect(await valuesOf(`[${text.replaceAll('\n', ',\n')}]`)).toEqual({ v: values });
  });

  it('a name that some rows lack is nullable, in the order in which names come', async () => {
    const text = '{"b":1}\n{"a":"x","__proto__":2}\n{"constructor":null,"b":3,"a":"y"}\n';
    expect(await typesOf(text)).toEqual(
      Object.fromEntries([
        ['b', 'int64?'],
        ['a', 'string?'],
        ['__proto__', 'int64?'],
        ['constructor', 'string?'],
      ]),
    );
    expect(Object.entries(await valuesOf(text))).toEqual([
      ['b', [1n, null, 3n]],
      ['a', [null, 'x', 'y']],
      ['__proto__', [null, 2n, null]],
      ['constructor', [null, null, null]],
    ]);
  });

  it('of fixed width', async () => {
    expect(await typesOf(column('"ab"', '"abc"'), { text: 'fixed' })).toEqual({ v: 'S3' });
    expect(await typesOf(column('"é"', null), { text: 'fixed' })).toEqual({ v: 'U1?' });
    expect(await valuesOf(column('"é"', '"abc"'), { text: 'fixed' })).toEqual({ v: ['é', 'abc'] });
  });

  it.each([
    ['int8', column(1, '"2"', '"+3"', 4.0), [1, 2, 3, 4]],
    ['uint64', column('18446744073709551615', '"1"'), [2n ** 64n - 1n, 1n]],
    ['float32', column(0.1, '"NaN"', '9007199254740993'), [Math.fround(0.1), NaN, 2 ** 53]],
    ['bool', column(true, 0, '"yes"', '"F"'), [true, false, true, false]],
    ['string', column(1, true, '"x"', '9007199254740993', '-0'), ['1', 'true', 'x', '9007199254740993', '-0']],
    ['datetime64[s]', column('"1970-01-01T02:00:00+02:00"', '"NaT"'), [0n, -(2n ** 63n)]],
    ['S2', column('"ab"', 7), ['ab', '7']],
  ] as const)('that are given: %s', async (dtype, text, values) => {
    expect(await valuesOf(text, { types: { v: dtype } })).toEqual({ v: values });
  });

  it('bytes in base64', async () => {
    expect(await valuesOf(column('"AAH/"', null), { types: { v: 'binary' } })).toEqual({
      v: [Uint8Array.of(0, 1, 255), null],
    });
  });

  it('lists and objects as their text', async () => {
    expect(await valuesOf(column('[1, 9007199254740993]', '{"x": null}', '"t"'), { nested: 'text' })).toEqual({
      v: ['[1,9007199254740993]', '{"x":null}', 't'],
    });
  });

  it('lists and objects as they were written, numbers too', async () => {
    const nested = '{ "b" : 1e400,\t"c": 1.50, "d": -0, "e": [ ], "\\"}, ": " a\\\\", "b": 12345678901234567890.5 }';
    const text = `{"x": 1, "a":${nested} ,"y,":[1 , "]"],"a b":{} }\n`;
    const expected = {
      x: [1n],
      a: ['{"b":1e400,"c":1.50,"d":-0,"e":[],"\\"}, ":" a\\\\","b":12345678901234567890.5}'],
      'y,': ['[1,"]"]'],
      'a b': ['{}'],
    };
    expect(await valuesOf(text, { nested: 'text' })).toEqual(expected);
    // Of a name that is there twice the last.
    expect(await valuesOf('{"a":[1],"b":2,"a":[3]}', { nested: 'text' })).toEqual({ a: ['[3]'], b: [2n] });
  });

  it('lists of any depth, beside long integers', async () => {
    for (const depth of [5_000, 200_000]) {
      const deep = '['.repeat(depth) + ']'.repeat(depth);
      expect(await valuesOf(`{"a":${deep},"b":9007199254740993}`, { nested: 'text' })).toEqual({
        a: [deep],
        b: [9007199254740993n],
      });
      await expect(valuesOf(`{"b":9007199254740993,"a":${deep}}`)).rejects.toThrow('expected one value in column "a"');
      const skipped = `{"b":9007199254740993,"a":${deep}}\n{"b":2}\n`;
      expect(await valuesOf(skipped, { onError: 'skip' })).toEqual({ b: [2n] });
    }
  });

  it('long integers behind names and texts that look like others', async () => {
    const text = '{"a:1":"x\\",\\"b\\":1","b" : -9007199254740993 ,"__proto__":18446744073709551615,"c":1e22}';
    expect(Object.entries(await valuesOf(text))).toEqual([
      ['a:1', ['x","b":1']],
      ['b', [-9007199254740993n]],
      ['__proto__', [18446744073709551615n]],
      ['c', [1e22]],
    ]);
    expect(await valuesOf(column('[ 9007199254740993 ]', 2), { nested: 'single' })).toEqual({
      v: [9007199254740993n, 2n],
    });
  });

  it('of lists of one value', async () => {
    expect(await valuesOf(column('[1]', 2, '[null]'), { nested: 'single' })).toEqual({ v: [1n, 2n, null] });
    for (const wrong of ['[]', '[1,2]', '[[1]]', '{"x":1}'])
      await expect(valuesOf(column(1, wrong), { nested: 'single' })).rejects.toThrow('line 2: expected one value');
  });

  it('of the columns that are asked for', async () => {
    const text = '{"a":1,"b":[1],"c":"x"}\n{"c":"y","a":2}\n';
    expect(Object.entries(await valuesOf(text, { columns: ['c', 'a'] }))).toEqual([
      ['c', ['x', 'y']],
      ['a', [1n, 2n]],
    ]);
    expect(await codeOf(() => valuesOf(text, { columns: ['d'] }))).toBe('ERR_SCHEMA');
    expect(await codeOf(() => valuesOf(text, { columns: ['a'], types: { d: 'int8' } }))).toBe('ERR_SCHEMA');
    expect(await codeOf(() => valuesOf(text, { types: { a: 'float128' } }))).toBe('ERR_ARGUMENT');
  });
});

describe('refused, with its line', () => {
  it.each<[string, string, JsonInputOptions, string]>([
    ['no JSON', '{"a":1}\n{"a":}\n', {}, 'line 2'],
    ['something behind', '{"a":1}\n{"a":1} x\n', {}, 'line 2'],
    ['a list for a row', '{"a":1}\n[1]\n', {}, 'line 2: expected an object for each row but found a list'],
    ['a number for a row', '{"a":1}\n\n7\n', {}, 'line 3: expected an object for each row but found a number'],
    ['a list of lists', '[\n[1]]', {}, 'line 2, column 1: expected an object for each row'],
    [
      'no comma',
      '[{"a":1},\n {"a":"é"} {"a":3}]',
      {},
      'line 2, column 12: expected a comma or the end of the list but found',
    ],
    ['two commas', '[{"a":1},\n\n,{"a":2}]', {}, 'line 3, column 1: expected an object for each row but found'],
    ['a comma first', ' [,{"a":1}]', {}, 'line 1, column 3: expected an object for each row'],
    ['a comma last', '[{"a":1},]', {}, 'line 1, column 10: expected an object for each row but found'],
    ['a list that goes on', '[{"a":1}]\n{"a":2}', {}, 'line 2, column 1: expected nothing behind the list'],
    ['a list that does not end', '[{"a":1},\n', {}, 'line 2, column 1: expected a list that ends'],
    ['an object that does not end', '{"a":1}\n{\n"a":2', {}, 'line 2'],
    [
      'an object in a list that does not end',
      '[{"a":1},\n{"a":2]',
      {},
      'line 2: expected an object for each row but found text that is no JSON',
    ],
    ['a list in a row', '{"a":[1]}\n', {}, 'line 1: expected one value in column "a"'],
    ['an object in a row', '{"a":{}}\n', {}, 'an object'],
    ['a number beyond float64', '{"a":1e400}\n', {}, 'line 1'],
    [
      'a value of another type',
      '{"a":1}\n{"a":300}\n',
      { types: { a: 'int8' } },
      'line 2: expected int8 in column "a" but found 300',
    ],
    ['a fraction', '{"a":1.5}\n', { types: { a: 'int64' } }, 'found 1.5'],
    ['a float32 that is too large', '{"a":1e39}\n', { types: { a: 'float32' } }, 'found 1e+39'],
    ['what is no base64', '{"a":"?"}\n', { types: { a: 'binary' } }, 'expected binary'],
    ['a list of a given type', '{"a":[1]}\n', { types: { a: 'int8' }, nested: 'text' }, '[1]'],
    [
      'text and numbers',
      '{"a":1}\n{"a":null}\n{"a":"x"}\n',
      {},
      'values of one kind (number in line 1) but found text in line 3',
    ],
    ['bool and numbers', '{"a":true}\n{"a":1}\n', {}, 'number in line 2'],
    [
      'integers that no type holds',
      '{"a":-1}\n{"a":18446744073709551615}\n',
      {},
      '{ types: { "a": \'float64\' } } rounds them',
    ],
  ])('%s', async (_, text, options, message) => {
    await expect(valuesOf(text, options)).rejects.toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) as string }),
    );
    expect(['ERR_VALUE', 'ERR_SCHEMA']).toContain(await codeOf(() => valuesOf(text, options)));
  });

  it('text that is no UTF-8', async () => {
    const bytes = bytesOf('{"a":"x"}\n{"a":"y"}\n');
    bytes[16] = 0xff;
    await expect(readJson(bytes)).rejects.toThrow(
      /line 2: expected UTF-8 but found other bytes; of Latin-1 iconv -f WINDOWS-1252 -t UTF-8 makes UTF-8 \(/u,
    );
  });

  it('other files are told', async () => {
    await expect(readJson(bytesOf('PAR1\x15\0\x15\0'))).rejects.toThrow('this is Parquet, which is not read as JSON');
    await expect(readJson(bytesOf('a,b\n1,2\n'))).rejects.toThrow('line 1, column 1: expected an object for each row');
  });

  it('or left out and told', async () => {
    const text =
      '{"a":1}\n{"a":}\n{"a":"x"}\n{"a":[2]}\n{"a":3,"b":300}\n{"a":4,"b":5}\n' +
      '{"a":5,"c":"\\ud800"}\n{"c":"\\ud83d\\ude00"}\n';
    await using input = await readJson(bytesOf(text), { onError: 'skip', types: { a: 'int64', b: 'uint8' } });
    expect(await readAll(toInputColumns(input))).toEqual({
      a: [1n, 4n, null],
      b: [null, 5, null],
      c: [null, null, '😀'],
    });
    expect(input.rejectedCount).toBe(5);
    expect(input.rejected.map(({ line }) => line)).toEqual([2, 3, 4, 5, 7]);
    expect(input.rejected[4]?.reason).toBe('expected well-formed text in column "c" but found a lone surrogate');
    expect(input.rejected[3]?.reason).toBe('expected uint8 in column "b" but found 300');
  });
});
