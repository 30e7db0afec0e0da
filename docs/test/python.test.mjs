// The Python blocks of the command's page, and the recipes in Python, with the real tools: what the command writes to
// standard output as an Arrow stream, pandas, Polars and DuckDB read, and back. In
// COLKIT_PYTHON, or python3; skipped where that has not the libraries, but never where COLKIT_PYTHON names it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../packages/colkit/bin/colkit.js', import.meta.url));
const PYTHON = process.env.COLKIT_PYTHON ?? 'python3';
const page = readFileSync(new URL('../guide/command.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code]) => code);
/** What each block is about -> what is asked of it, behind it. */
const QUESTIONS = [
  ['pandas', "print(frame.amount.sum(), list(frame.region.fillna('-')))"],
  ['Polars', "print(frame['amount'].sum(), frame['region'].fill_null('-').to_list())"],
  ['DuckDB', ''],
];

const hasAll = spawnSync(PYTHON, ['-c', 'import pyarrow, pandas, polars, duckdb']).status === 0;
const skip = hasAll || process.env.COLKIT_PYTHON !== undefined ? false : 'no pyarrow, pandas, polars and duckdb here';

const ORDERS = 'order_id,region,amount\n1,EMEA,10.5\n2,APAC,7.25\n3,EMEA,2\n4,,3\n';
const RECIPES = fileURLToPath(new URL('../examples/recipes/tools', import.meta.url));

test('there is a block for each', () => {
  assert.deepEqual(
    blocks.map((code) => QUESTIONS.find(([name]) => code.includes(`# ${name}`))?.[0]),
    QUESTIONS.map(([name]) => name),
  );
});

test('pandas, Polars and DuckDB read what the command writes to standard output', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-python-'));
  try {
    writeFileSync(join(folder, 'orders.csv'), ORDERS);
    colkit(folder, ['convert', 'orders.csv', 'orders.cna']);
    const stream = colkit(folder, ['convert', 'orders.cna', '-', '--to', 'arrow']);
    const said = blocks.map((code, index) => {
      const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', code + QUESTIONS[index][1]], { input: stream });
      assert.equal(status, 0, stderr.toString());
      return stdout.toString();
    });
    assert.equal(said[0].trim(), "22.75 ['EMEA', 'APAC', 'EMEA', '-']");
    assert.equal(said[1].trim(), "22.75 ['EMEA', 'APAC', 'EMEA', '-']");
    for (const [region, sum] of [
      ['EMEA', '12.5'],
      ['APAC', '7.25'],
      ['NULL', '3.0'],
    ])
      assert.match(said[2], new RegExp(`${region}\\W+${sum.replace('.', '\\.')}\\b`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

for (const name of readdirSync(RECIPES).filter((each) => each.endsWith('.py'))) {
  test(`${name} prints what it says`, { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'colkit-recipe-'));
    try {
      // What `npx colkit` finds.
      mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
      symlinkSync(COMMAND, join(folder, 'node_modules', '.bin', 'colkit'));
      writeFileSync(join(folder, 'orders.csv'), ORDERS);
      colkit(folder, ['convert', 'orders.csv', 'orders.cna']);
      const { stdout, stderr, status } = spawnSync(PYTHON, [join(RECIPES, name)], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const promised = [...readFileSync(join(RECIPES, name), 'utf8').matchAll(/# → (.*)$/gm)].map(([, line]) => line);
      const lines = stdout.split('\n').filter((line) => promised.includes(line));
      assert.deepEqual([promised.length > 0, lines], [true, promised]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function colkit(folder, words) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, ...words], { cwd: folder });
  assert.equal(status, 0, stderr.toString());
  return stdout;
}
