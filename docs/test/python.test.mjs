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

test('pyarrow, pandas and Polars read durations from Parquet', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-durations-'));
  try {
    const units = ['s', 'ms', 'us', 'ns', 'm', 'D'];
    const python = (code) => {
      const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', code], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    python(`import numpy as np
t = np.array([0, -7, 2**31])
np.savez('a.npz', n=t.astype('i4'), **{u: t.astype('m8[' + u + ']') for u in ${JSON.stringify(units)}})`);
    colkit(folder, ['convert', 'a.npz', 'a.cstore']);
    colkit(folder, ['convert', 'a.cstore', 'a.parquet']);
    const said = python(`import numpy as np, pandas, polars, pyarrow.parquet as pq
table, given = pq.read_table('a.parquet'), np.load('a.npz')
for name in given:
    column = table[name]
    print(name, column.type, (column.to_numpy() == given[name]).all())
print(pandas.read_parquet('a.parquet').ms.sum(), polars.read_parquet('a.parquet')['us'].dtype)`);
    assert.deepEqual(said.trim().split('\n'), [
      'n int32 True',
      's duration[s] True',
      'ms duration[ms] True',
      'us duration[us] True',
      'ns duration[ns] True',
      'm duration[s] True',
      'D duration[s] True',
      "24 days 20:31:23.641000 Duration(time_unit='us')",
    ]);
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
