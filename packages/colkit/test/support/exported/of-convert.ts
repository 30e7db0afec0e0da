// A program whose declarations name what colkit/convert gives (test/declarations.test.ts); nothing runs it.
import * as convert from 'colkit/convert';

export const open = (path: string) => convert.openTable(path);
export const table = async (path: string) => (await open(path)).table;
export const rows = async (path: string) => (await table(path)).toRows();
export const columns = async (path: string) => (await table(path)).toColumns();
export const column = async (path: string) => (await table(path)).column('a');
export const values = async (path: string) => (await column(path)).toArray();
export const groups = async (path: string) => (await table(path)).groupBy('a').agg({ n: 'count' });
export const written = async (path: string) => convert.writeTable(await table(path), 'csv', path);
export const totals = async (path: string) => (await table(path)).agg({ n: 'count' });
export const identified = (path: string) => convert.identify(path);
export const csv = async (path: string) => convert.toCsv(path, path);
export const told = async (path: string) => (await open(path)).notes;
