// A program whose declarations name what columna gives (test/declarations.test.ts); nothing runs it.
import * as columna from 'columna';

export const open = (path: string) => columna.open(path);
export const typed = (path: string) => columna.open(path, { expect: { a: 'float64', s: 'string' } });
export const rows = async (path: string) => (await typed(path)).toRows();
export const anyRows = async (path: string) => (await open(path)).toRows({ json: true });
export const columns = async (path: string) => (await typed(path)).toColumns();
export const anyColumns = async (path: string) => (await open(path)).toColumnMap({ nulls: 'bitmap' });
export const records = async (path: string) => (await typed(path)).select('a').toRecords();
export const arrow = async (path: string) => (await open(path)).toArrow();
export const batches = async (path: string) => (await typed(path)).batches({ rows: 5 });
export const groups = async (path: string) => (await typed(path)).groupBy('s');
export const ofGroups = async (path: string) => (await groups(path)).agg({ n: 'count', m: { mean: 'a' } });
export const totals = async (path: string) => (await typed(path)).agg({ n: 'count', m: { mean: 'a' } });
export const column = async (path: string) => (await open(path)).column('a');
export const values = async (path: string) => (await column(path)).toArray();
export const view = async (path: string) => (await column(path)).viewArray();
export const cell = async (path: string) => (await column(path)).at(0);
export const read = (path: string) => columna.read(path);
export const scanned = (path: string) => columna.scan(path).groupBy('s').agg({ n: 'count' });
export const dataset = (path: string) => columna.openDataset(path);
export const ofTask = (task: columna.Task) => columna.runTask(task);
export const edited = async (path: string) => columna.edit(await typed(path)).assign({ b: 'a + 1' });
export const writer = (path: string) => columna.create(path, { schema: { a: 'float64' } });
