// Lists as parquet-avro writes them by default (`repeated int32 array`, records and lists below `array`), and repeated
// fields that no LIST says (golden/make.py): as pyarrow reads them. Columns of chunks that the schema does not have.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openTable } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const golden = (name: string): string => fileURLToPath(new URL(`golden/${name}`, import.meta.url));
const { path: at } = temporaryFolder();

test('lists of two levels: empty ones, none, records, lists', async () => {
  const { table } = await openTable(golden('two-level-lists.parquet'), { nested: 'text' });
  expect((await table.toRows()).map((row) => ({ ...row }))).toEqual([
    {
      id: 1,
      optional: '[1,2]',
      required: '[1,2]',
      struct: '{"texts":["x"]}',
      records: '[{"x":1,"y":"a"},{"x":null,"y":null}]',
      wrapped: '[{"x":1}]',
      lists: '[[1],[]]',
    },
    { id: 2, optional: '[]', required: '[]', struct: '{"texts":[]}', records: '[]', wrapped: '[]', lists: '[]' },
    {
      id: 3,
      optional: null,
      required: '[4]',
      struct: null,
      records: null,
      wrapped: '[{"x":null},{"x":2}]',
      lists: null,
    },
    {
      id: 4,
      optional: '[3]',
      required: '[]',
      struct: '{"texts":["y","z"]}',
      records: '[{"x":2,"y":"b"}]',
      wrapped: '[]',
      lists: '[[2,3]]',
    },
  ]);
  expect(table.schema.filter(({ nullable }) => !nullable).map(({ name }) => name)).toEqual([
    'id',
    'required',
    'wrapped',
  ]);
});

test('repeated fields', async () => {
  const { table } = await openTable(golden('repeated-fields.parquet'), { nested: 'text' });
  expect(await table.select('Int32_list').toColumns()).toEqual({ Int32_list: ['[0,1,2,3]', '[]', '[4]', '[5,6,7,8]'] });
  expect(await table.column('group_of_lists').at(1)).toBe(
    '{"Int32_list_in_group":[],"String_list_in_group":["three"]}',
  );
});

test('items of a .syr file have empty arrays', async () => {
  const made = await linesOf('convert', golden('two-level-lists.parquet'), at('a.syr'), '--schema', 'required:int32');
  expect(made).toMatchObject({ code: 0 });
  const { out } = await linesOf('head', at('a.syr'), '--json');
  expect(out.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    [[1, 2], [], [4], []].map((required) => ({ required })),
  );
});

test('columns of chunks that the schema does not have are damage, beside others that fail', async () => {
  const bytes = readFileSync(golden('nested.parquet'));
  bytes.fill(0xff, 20, 100);
  bytes.write('flaw', bytes.lastIndexOf('flat'));
  await expect(openTable(bytes, { nested: 'text' })).rejects.toMatchObject({
    code: 'ERR_METADATA',
    expected: 'columns of its schema',
    found: 'flaw',
  });
});
