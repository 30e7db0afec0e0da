// What the compiler takes of a user: tables are often typed by interfaces, which have no index signature.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, expectTypeOf, test } from 'vitest';
import { append, create, openSync, write, writePart, writeSync } from '../src/index.ts';
import type { Operand, Predicate, QueryParams } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-types-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const path = (name: string): string => join(folder, `${name}.cna`);

interface Columns {
  readonly id: BigInt64Array;
  readonly note: readonly (string | null)[];
}
interface Row {
  readonly id: bigint;
  readonly note: string | null;
}
const columns: Columns = { id: BigInt64Array.of(1n), note: [null] };
const rows: readonly Row[] = [{ id: 2n, note: 'two' }];

test('columns and rows of objects whose types are interfaces', async () => {
  const schema = { id: 'int64', note: { dtype: 'string', nullable: true } } as const;
  await write(path('written'), columns, { schema });
  await append(path('written'), rows);
  writeSync(path('written'), rows, { overwrite: true });
  const stream = await create(path('stream'), { schema });
  await stream.write(columns);
  await stream.write(rows);
  await stream.close();
  await writePart(folder, columns, { schema });
  expect(openSync(path('stream')).toRowsSync()).toEqual([{ id: 1n, note: null }, ...rows]);
  interface Other {
    readonly id: symbol;
  }
  const other: readonly Other[] = [{ id: Symbol('none') }];
  // @ts-expect-error -- no value
  await expect(write(path('other'), other)).rejects.toThrow();
});

test('what a query is made of has a name', () => {
  expectTypeOf<string>().toExtend<Predicate>();
  expectTypeOf<bigint>().toExtend<Operand>();
  expectTypeOf<Row>().toExtend<QueryParams>();
});
