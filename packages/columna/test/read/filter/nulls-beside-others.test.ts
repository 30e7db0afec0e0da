// `is null` beside other terms, in columns that share a dictionary and in those that have one alone or none: with
// nulls, without any, and with nulls in some row groups only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { backendsToAsk } from '../../support/backends.ts';

const ROWS = 6000;
const folder = mkdtempSync(join(tmpdir(), 'columna-nulls-'));
afterEach(() => setDefaultBackend('js'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Which rows of a column are null. */
const NULLS: Readonly<Record<string, (row: number) => boolean>> = {
  none: () => false,
  some: (row) => row % 7 === 3,
  'in the second row group': (row) => row >= ROWS / 2 && row % 7 === 3,
  'all of the second row group': (row) => row >= ROWS / 2,
};

/** The same numbers again and again in no order, so that columns are worth a dictionary, and one that they share. */
const keyOf = (row: number): number => ((row * 7919) % 10_007) % 40;

const path = join(folder, 'nulls.cna');
const columns: Record<string, unknown[]> = { row: Array.from({ length: ROWS }, (_, row) => row) };
/** All may be null, as those of a Parquet file: else it is known that none is. */
const schema: Record<string, unknown> = { row: 'int32' };
for (const [index, isNull] of Object.values(NULLS).entries()) {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  columns[`n${index}`] = rows.map((row) => (isNull(row) ? null : keyOf(row) * 1_000_003));
  columns[`twin${index}`] = rows.map((row) => (isNull(row) ? null : keyOf(row) * 777_777 - 9));
  columns[`t${index}`] = rows.map((row) => (isNull(row) ? null : `text of key ${String(keyOf(row))}`));
  for (const [name, dtype] of Object.entries({ n: 'int32', twin: 'float64', t: 'string' }))
    schema[`${name}${index}`] = { dtype, nullable: true };
}
writeSync(path, columns as never, { rowGroupSize: ROWS / 2, schema: schema as never });

const TERMS: readonly (readonly [string, (isNull: boolean, row: number) => boolean])[] = [
  ['# is null or row == 4321', (isNull, row) => isNull || row === 4321],
  ['row < 10 or # is null', (isNull, row) => row < 10 || isNull],
  ['not (# is not null) or row in (5, 4000)', (isNull, row) => isNull || row === 5 || row === 4000],
  ['(# is not null and row > 5990) or row == 1', (isNull, row) => (!isNull && row > 5990) || row === 1],
  ['# is null and row % 2 == 0', (isNull, row) => isNull && row % 2 === 0],
  ['row > 100 and # is not null and row < 140', (isNull, row) => row > 100 && !isNull && row < 140],
  ['row > 2990 and (# is null or row == 2995)', (isNull, row) => row > 2990 && (isNull || row === 2995)],
];

describe.each(backendsToAsk())('%s: is null beside other terms', (backend) => {
  it.each(Object.keys(NULLS).map((nulls, index) => [nulls, index] as const))('nulls: %s', (nulls, index) => {
    setDefaultBackend(backend);
    const isNull = NULLS[nulls] as (row: number) => boolean;
    const table = openSync(path);
    for (const name of [`n${index}`, `twin${index}`, `t${index}`])
      for (const [text, matches] of TERMS) {
        const where = text.replaceAll('#', name);
        const found = table.where(where).select('row').toColumnsSync({ nulls: 'nan' });
        const wanted = Array.from({ length: ROWS }, (_, row) => row).filter((row) => matches(isNull(row), row));
        expect([where, Array.from(found.row as Iterable<number>)]).toEqual([where, wanted]);
      }
    table.close();
  });
});
