// Lists, structs and maps of Parquet and Arrow files (golden/make.py) as texts of JSON.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Field, FixedSizeList, Int8, List, Schema, Struct, Table, tableToIPC } from 'apache-arrow';
import { openSync } from 'columna';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromParquet, openTable } from '../../src/convert.ts';
import { linesOf } from '../support/run.ts';

const golden = (name: string): string => fileURLToPath(new URL(`golden/${name}`, import.meta.url));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colkit-nested-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** By column, its four rows. */
const NESTED: Readonly<Record<string, readonly unknown[]>> = {
  list: ['[1,2]', null, '[]', '[3,null]'],
  struct: ['{"a":1,"b":"x\\"\\n"}', null, '{"a":null,"b":""}', '{"a":2,"b":"\ufeffż😀"}'],
  map: ['{"k":1,"__proto__":5,"2":3,"":4}', null, '{}', '{"é,1":null}'],
  'map of lists': ['{"7":["a"]}', null, '{}', '{"1152921504606846976":[null]}'],
  'lists of lists': ['[["a"]]', null, '[[]]', '[[null,"b"],null]'],
  'list of structs': [
    '[{"x":1.5,"t":"2020-01-02T03:04:05.000006Z"}]',
    null,
    '[]',
    '[null,{"x":"NaN","t":null},{"x":"-Infinity","t":null}]',
  ],
  'struct of both': [
    '{"q":[1,2],"w":{"e":true,"r":"YWI="}}',
    '{"q":null,"w":null}',
    '{"q":[],"w":{"e":null,"r":null}}',
    null,
  ],
  deep: ['{"a":[{"b":[{"c":["9223372036854775807",-5]}]}]}', null, '{"a":[]}', '{"a":[null,{"b":null}]}'],
  pairs: ['[1.5,2]', null, '[0,-0]', '[null,3]'],
  decimals: ['[1.1]', null, '[]', '[null]'],
  days: ['["2020-01-02"]', null, '[]', '["0001-01-01"]'],
  times: ['[1000000]', null, '[]', '[null]'],
  large: ['["18446744073709551615"]', null, '[]', '[0]'],
  flat: [1, null, 3, 4],
};
/** What Parquet does not have. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  halves: ['[1.5]', null, '["Infinity"]', '[null]'],
  codes: ['["a","b"]', null, '["a"]', '[null]'],
  'large lists': ['["x"]', null, '[]', '["y"]'],
  nulls: ['[null]', null, '[]', '[null,null]'],
};

const rowsOf = (columns: Readonly<Record<string, readonly unknown[]>>): unknown[] =>
  [0, 1, 2, 3].map((row) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row] ?? null])),
  );
const noteOf = (column: string): object => ({ column, note: 'nested values became text, as JSON' });

describe.each([
  ['nested.parquet', NESTED],
  ['nested.arrow', { ...NESTED, ...MORE }],
])('%s', (name, columns) => {
  const nested = Object.keys(columns).filter((column) => column !== 'flat');

  it('opens as a table, from a path and from bytes', async () => {
    for (const source of [golden(name), new Uint8Array(readFileSync(golden(name)))]) {
      const { table } = await openTable(source, { nested: 'text' });
      expect(await table.toRows()).toEqual(rowsOf(columns));
      expect(table.schema.find((field) => field.name === 'list')).toMatchObject({ dtype: 'string', nullable: true });
      table.close();
    }
    const { table: some } = await openTable(golden(name), { nested: 'text', columns: ['flat', 'map'] });
    expect(await some.toRows()).toEqual(rowsOf({ flat: columns['flat']!, map: columns['map']! }));
    await expect(openTable(golden(name))).rejects.toMatchObject({ code: 'ERR_DTYPE' });
  });

  it('is converted by the command, which tells it', async () => {
    const path = join(folder, `${name}.cna`);
    const { code, notes } = await linesOf('convert', golden(name), path, '--nested', 'text');
    expect(code).toBe(0);
    for (const column of nested)
      expect(notes.join('\n')).toContain(`column ${JSON.stringify(column)}: nested values became text, as JSON`);
    using table = openSync(path);
    expect(table.toRowsSync()).toEqual(rowsOf(columns));
    const refused = await linesOf('convert', golden(name), join(folder, 'refused.cna'));
    expect(refused.code).toBe(1);
  });
});

it.each(['nested-names.parquet', 'nested-names.arrow'])(
  '%s: names and keys as they are, in their order',
  async (name) => {
    const { table } = await openTable(golden(name), { nested: 'text' });
    expect(await table.toRows()).toEqual([
      {
        dots: '{"b.c":1,"b":{"c":2}}',
        proto: '{"__proto__":1,"10":2,"2":3}',
        numbers: '{"10":"a","2":"b","10":null}',
        texts: '{"10":[1],"2":[],"10":null}',
        'by moment': '{"2020-01-01T00:00:00.000000Z":1}',
        'by struct': '{"{\\"a\\":\\"x\\"}":1.5}',
        maps: '[{"2":true},null]',
      },
      {
        dots: '{"b.c":3,"b":null}',
        proto: null,
        numbers: '{}',
        texts: null,
        'by moment': '{}',
        'by struct': '{}',
        maps: '[]',
      },
    ]);
    table.close();
  },
);

it('refuses rows of damaged Arrow files that a column does not hold, before it makes any', async () => {
  const bytes = new Uint8Array(readFileSync(golden('nested-names.arrow')));
  // Of a struct, a list and a map.
  for (const at of [1610, 2562, 2706]) {
    const damaged = bytes.slice();
    damaged[at] = 1;
    await expect(openTable(damaged, { nested: 'text' })).rejects.toMatchObject({
      code: 'ERR_METADATA',
      found: expect.stringMatching(/ of \d+ rows where there should be \d+$/u) as string,
    });
  }
});

it('is told by fromParquet', async () => {
  const path = join(folder, 'told.cna');
  const { notes } = await fromParquet(golden('nested.parquet'), path, { nested: 'text' });
  const columns = Object.keys(NESTED).filter((column) => column !== 'flat');
  expect(notes).toEqual(columns.map(noteOf));
});

it.each(['file', 'stream'] as const)('an Arrow %s without rows has its columns', async (form) => {
  const number = Field.new('n', new Int8(), true);
  const types = { list: new List(number), struct: new Struct([number]), pairs: new FixedSizeList(2, number) };
  const nested = Object.entries(types).map(([name, type]) => Field.new(name, type, true));
  const bytes = tableToIPC(new Table(new Schema([Field.new('flat', new Int8(), true), ...nested])), form);
  const read = async (how: object): Promise<[number, readonly string[]]> => {
    const { table } = await openTable(bytes, how);
    const found: [number, readonly string[]] = [table.rowCount, table.columnNames];
    table.close();
    return found;
  };
  expect(await read({ nested: 'text' })).toEqual([0, ['flat', 'list', 'struct', 'pairs']]);
  expect(await read({ columns: ['flat'] })).toEqual([0, ['flat']]);
});

it('says what helps', async () => {
  const path = join(folder, 'none.cna');
  await expect(fromParquet(golden('nested.parquet'), path, { columns: ['list', 'flat'] })).rejects.toMatchObject({
    code: 'ERR_DTYPE',
    message: expect.stringMatching(
      /column "list": .*; \{ nested: 'text' \} keeps lists, structs and maps as text, or choose other .*: flat$/u,
    ) as string,
  });
  const told = await linesOf('convert', golden('nested.parquet'), path);
  expect(told.notes.join('\n')).toMatch(
    /; --nested text keeps lists, structs and maps as text, or choose other columns/u,
  );
});

it('refuses VARIANT columns, also within others, and reads the columns beside them', async () => {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const members = [
    { name: 'v', num_children: 2, repetition_type: 'OPTIONAL', logical_type: { type: 'VARIANT' } },
    { name: 'metadata', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
    { name: 'value', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  ] as const;
  const alone = [{ name: 'n', type: 'INT32', repetition_type: 'REQUIRED' } as const, ...members];
  const within = [{ name: 'held', num_children: 1, repetition_type: 'OPTIONAL' } as const, ...members];
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      schema: [{ name: 'root', num_children: 3 }, ...alone, ...within],
      columnData: [
        { name: 'n', data: [1, 2] },
        { name: 'v', data: [{ a: 1 }, 'x'] },
        { name: 'held', data: [{ v: null }, null] },
      ],
    }),
  );
  for (const options of [{}, { nested: 'text' }] as const)
    await expect(openTable(bytes, { ...options, columns: ['v', 'n'] })).rejects.toMatchObject({
      code: 'ERR_DTYPE',
      message: expect.stringMatching(
        /column "v": .* no type for the Parquet type VARIANT; choose other columns with \{ columns \}: n$/u,
      ) as string,
    });
  await expect(openTable(bytes, { nested: 'text' })).rejects.toThrow(
    /column "v": .* \(nor for "held"\); choose .*: n$/u,
  );
  await expect(openTable(bytes, { nested: 'text', columns: ['held'] })).rejects.toMatchObject({
    code: 'ERR_DTYPE',
    message: expect.stringMatching(/column "held".*no column that is asked for can be imported$/u) as string,
  });
  const { table } = await openTable(bytes, { nested: 'text', columns: ['n'] });
  expect(await table.toRows()).toEqual([{ n: 1 }, { n: 2 }]);
  table.close();
});

it('is only said of what may be nested', async () => {
  const csv = join(folder, 'a.csv');
  writeFileSync(csv, 'a\n1\n');
  const { code, notes } = await linesOf('convert', csv, join(folder, 'csv.cna'), '--nested', 'text');
  expect([code, notes.join('\n')]).toEqual([2, expect.stringContaining('--nested: only where JSON, Parquet or Arrow')]);
});
