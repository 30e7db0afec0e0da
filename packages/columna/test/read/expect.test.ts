// What is expected of a file gives its types, or an error that names every difference.
import { expect, expectTypeOf, it } from 'vitest';
import { open, openSync, read, scan, write } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('expect');

const EXPECT = { price: 'float64', note: { dtype: 'string', nullable: true } } as const;

it('open, read and scan are typed by what is expected', async () => {
  const { path } = newFolder();
  await write(path, { id: BigInt64Array.of(1n, 2n), price: Float64Array.of(1.5, 2.5), note: ['x', null] });
  using table = await open(path, { expect: EXPECT });
  expectTypeOf((await table.toColumns()).price).toEqualTypeOf<Float64Array>();
  expect(table.columnNames).toEqual(['price', 'note']);
  const columns = await read(path, { expect: EXPECT });
  expectTypeOf(columns.note).toEqualTypeOf<(string | null)[]>();
  expect({ ...columns }).toEqual({ price: Float64Array.of(1.5, 2.5), note: ['x', null] });
  const found = await scan(path, { expect: EXPECT, where: 'id == 2' });
  expectTypeOf(found.columns.price).toEqualTypeOf<Float64Array>();
  expect(found.columns.price).toEqual(Float64Array.of(2.5));
  const some = await read(path, { expect: EXPECT, columns: ['note'] });
  expectTypeOf(some).toHaveProperty('note');
  expectTypeOf(some).not.toHaveProperty('price');
  expect(Object.keys(some)).toEqual(['note']);
  const scanned = (await scan(path, { expect: EXPECT, columns: ['price'] })).columns;
  expectTypeOf(scanned.price).toEqualTypeOf<Float64Array>();
  expectTypeOf(scanned).not.toHaveProperty('note');
  const named: readonly string[] = ['price'];
  expectTypeOf((await read(path, { expect: EXPECT, columns: named })).price).toEqualTypeOf<Float64Array>();
  const wrong = { expect: { price: 'int32', note: 'string', gone: 'bool' } } as const;
  const refused: unknown = expect.objectContaining({
    code: 'ERR_SCHEMA',
    message: expect.stringMatching(/price.*int32.*note.*gone/u) as string,
  });
  expect(() => openSync(path, wrong)).toThrow(refused as Error);
  await expect(open(path, wrong)).rejects.toThrow(refused as Error);
  await expect(read(path, wrong)).rejects.toThrow(refused as Error);
  await expect(scan(path, wrong).run()).rejects.toThrow(refused as Error);
});
