// A program whose declarations name what colstore gives (test/declarations.test.ts); nothing runs it.
import * as colstore from 'colstore';

export const open = (path: string) => colstore.open(path);
export const typed = (path: string) => colstore.open(path, { expect: { a: 'float64', s: 'U8' } });
export const rows = async (path: string) => (await typed(path)).toRows();
export const columns = async (path: string) => (await typed(path)).toColumns();
export const records = async (path: string) => (await typed(path)).toRecords();
export const arrow = async (path: string) => (await open(path)).toArrow();
export const groups = async (path: string) => (await typed(path)).groupBy('s');
export const ofGroups = async (path: string) => (await groups(path)).agg({ n: 'count', m: { mean: 'a' } });
export const totals = async (path: string) => (await typed(path)).agg({ n: 'count', m: { mean: 'a' } });
export const column = async (path: string) => (await open(path)).column('a');
export const values = async (path: string) => (await column(path)).toArray();
export const view = async (path: string) => (await column(path)).viewArray();
export const edited = async (path: string) => colstore.edit(await typed(path)).assign({ b: 'a + 1' });
export const writer = (path: string) => colstore.create(path);
