// Two copies of the packages in one process (two versions, or one in a bundle and one beside it): what one of them gave
// is refused by the other, and the reason is said; files and locks are the same for both.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as columna from 'columna';
import * as colstore from 'colstore';
import { writeTable } from 'colkit/convert';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-copies-'));
const local = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = await bundleForNode(new URL('../../../columna/src/index.ts', import.meta.url), folder);
// An addon of its own.
const { path: addon } = columna.backendInfo();
if (addon !== null) copyFileSync(addon, local('colkit_native.node'));
const other = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof columna;
const COPY = "of another copy of these packages ('npm ls @colkit/table' shows the copies)";

test('tables, columns, typed values and expressions of another copy are told as such', async () => {
  await columna.write(local('a.cna'), { n: Float64Array.of(1, 2, 3) });
  const [ours, theirs] = [await columna.open(local('a.cna')), await other.open(local('a.cna'))];
  expect(theirs).not.toBeInstanceOf(columna.Table);
  const table = { code: 'ERR_SCHEMA', found: `a table ${COPY}` };
  await expect(columna.write(local('b.cna'), theirs)).rejects.toMatchObject(table);
  await expect(columna.write(local('b.cna'), theirs.where('n > 1'))).rejects.toMatchObject(table);
  await expect(colstore.write(local('b.cstore'), theirs)).rejects.toMatchObject(table);
  expect(() => columna.appendSync(local('a.cna'), theirs)).toThrow(`a table ${COPY}`);
  const given = { code: 'ERR_ARGUMENT', found: `a table ${COPY}` };
  await expect(writeTable(theirs, 'csv', local('b.csv'))).rejects.toMatchObject(given);
  expect(() => columna.edit(theirs)).toThrow(`found a table ${COPY}`);
  await expect(columna.write(local('b.cna'), { n: theirs.column('n') })).rejects.toThrow(
    `column "n": expected an array, a typed array or typed(dtype, values) but found a column ${COPY}`,
  );
  await expect(columna.write(local('b.cna'), { n: other.typed('int8', [1]) })).rejects.toThrow(
    `found typed values ${COPY}`,
  );
  const schema = { n: 'int8' } as const;
  await expect(columna.write(local('b.cna'), { n: other.typed('int8', [1]) }, { schema })).rejects.toThrow(
    `found typed values ${COPY}`,
  );
  const expression = `found an expression ${COPY}`;
  expect(() => ours.where(other.col('n').gt(1))).toThrow(expression);
  expect(() => columna.col('n').gt(other.col('n'))).toThrow(expression);
  expect(() => columna.edit(ours).assign({ m: other.col('n') })).toThrow(expression);
});

test('what is no table of either is told as before', async () => {
  const view = new (class View {
    readonly view = [1, 2];
  })();
  await columna.write(local('view.cna'), view as unknown as { view: number[] });
  expect((await columna.open(local('view.cna'))).columnNames).toEqual(['view']);
  await expect(columna.write(local('c.cna'), { n: new Date(0) } as never)).rejects.toThrow('found a Date');
});

test('one file has one writer, whichever copy it is of', async () => {
  const writer = await columna.create(local('log.cna'));
  await writer.write({ n: [1] });
  await expect(other.create(local('log.cna'))).rejects.toMatchObject({ code: 'ERR_LOCKED' });
  await expect(other.write(local('log.cna'), { n: [1] }, { overwrite: true })).rejects.toMatchObject({
    code: 'ERR_LOCKED',
  });
  await writer.close();
  const all = [columna, other, columna, other].map(({ write }, n) =>
    write(local('log.cna'), { n: [n] }, { overwrite: true }),
  );
  expect((await Promise.all(all)).length).toBe(4);
  expect((await other.open(local('log.cna'))).rowCount).toBe(1);
});
