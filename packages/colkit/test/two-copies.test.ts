// What a package manager that does not share packages, and whatever keeps the paths of links, loads: a copy of
// `@colkit/io` for each package that asks for it. Work that one copy describes is done by another.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-copies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Its arguments: the addresses of columna, colstore, and of io as columna and as table have it. */
const PROGRAM = `
const [columna, colstore, io, other] = await Promise.all(process.argv.slice(2).map((url) => import(url)));
const rows = 20_000;
const columns = {
  id: Int32Array.from({ length: rows }, (_, row) => row),
  name: Array.from({ length: rows }, (_, row) => (row % 11 === 0 ? null : 'name ' + (row % 7))),
};
await columna.write('a.cna', columns, { rowGroupSize: 3000 });
columna.writeSync('b.cna', columns);
await colstore.write('a.cstore', { id: columns.id });
const table = await columna.open('a.cna');
const raw = colstore.openSync('a.cstore');
let walked = 0;
for await (const row of table.rows()) walked += row.id;
console.log(JSON.stringify({
  isShared: io === other,
  walked,
  count: await table.where("name == 'name 3' and id > 100").count(),
  groups: (await table.groupBy('name').agg({ n: 'count' })).rowCount,
  taken: (await table.take([5, 19_999]).toRows()).map(({ id }) => id),
  sync: columna.openSync('b.cna').slice(0, 3).toRowsSync().length,
  raw: [raw.where('id > 19997').countSync(), await raw.column('id').sum()],
}));
`;

test('two copies of the packages beneath work as one', () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const here = join(import.meta.dirname, '..', 'node_modules');
  const io = join('node_modules', '@colkit', 'io', 'dist', 'index.js');
  const modules = [
    join(here, 'columna', 'dist', 'index.js'),
    join(here, 'colstore', 'dist', 'index.js'),
    join(here, 'columna', io),
    join(here, 'columna', 'node_modules', '@colkit', 'table', io),
  ].map((path) => pathToFileURL(path).href);
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const options = { cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
  const rows = Array.from({ length: 20_000 }, (_, row) => row);
  expect(JSON.parse(execFileSync(process.execPath, [...flags, program, ...modules], options))).toEqual({
    isShared: false,
    walked: rows.reduce((sum, row) => sum + row, 0),
    count: rows.filter((row) => row > 100 && row % 11 !== 0 && row % 7 === 3).length,
    groups: 8,
    taken: [5, 19_999],
    sync: 3,
    raw: [2, rows.reduce((sum, row) => sum + row, 0)],
  });
});
