// Runners (tsx) make CommonJS of the packages as they are required, and leave `import()` to Node: what it loads is
// another copy of all modules. So what opens and writes tables is there from the start.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-commonjs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { transformSync } = createRequire(process.argv[2])('esbuild');
// What a runner does.
require.extensions['.js'] = (module, path) => {
  const file = JSON.stringify(require('node:url').pathToFileURL(path).href);
  const options = { format: 'cjs', platform: 'node', target: 'node20', define: { 'import.meta.url': file } };
  module._compile(transformSync(readFileSync(path, 'utf8'), options).code, path);
};
const load = createRequire(process.argv[2]);
const columna = load('columna');
const { openTable, writeTable } = load('colkit/convert');

async function main() {
  const found = {};
  await columna.write('a.cna', { x: [1, 2], s: ['a', 'b'] });
  const table = await columna.open('a.cna');
  for (const format of ['cna', 'cstore', 'csv', 'jsonl']) {
    await writeTable(table, format, 'b.' + format);
    const opened = await openTable('b.' + format);
    await columna.write('c.cna', opened.table, { overwrite: true });
    found[format] = [opened.table instanceof columna.Table, (await columna.open('c.cna')).rowCount];
    opened.close();
  }
  console.log(JSON.stringify(found));
}
main();
`;

test('tables of the packages and of colkit/convert are of one copy', () => {
  const program = join(folder, 'program.cjs');
  writeFileSync(program, PROGRAM);
  const here = new URL('../package.json', import.meta.url).pathname;
  const options = { cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
  const found: unknown = JSON.parse(execFileSync(process.execPath, [program, here], options));
  expect(found).toEqual({ cna: [true, 2], cstore: [true, 2], csv: [true, 2], jsonl: [true, 2] });
});
