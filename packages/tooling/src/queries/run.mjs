#!/usr/bin/env node
// `npm run test:queries`: random predicates, orders, groups and totals over random tables, by .cna and .cstore files,
// with the addon and without, beside DuckDB (its package for Node, which npm brings into a folder of its own). Rows are
// compared in order, every value. `--seed <n>` is the first table, `--tables <n>` how many (10), `--queries <n>` of
// each (150), `--rows <n>` at most (30,000); `--short`: 4 tables, 60 queries, 8,000 rows. Exits with 1 where an answer
// differs, or there is none.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from '../published.mjs';
import { installTools } from '../users/installed.mjs';
import { Expressions } from './expression.mjs';
import { Questions, difference } from './question.mjs';
import { Random } from './random.mjs';
import { COLUMNS, drawTable } from './table.mjs';

const VERSION = '1.5.6-r.1';
const MOST_TOLD = 10;
/** Has room for the longest text and key. */
const TEXT_TYPE = 'U46';
const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seed: { type: 'string', default: '1' },
    tables: { type: 'string' },
    queries: { type: 'string' },
    rows: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const tables = Number(options.tables ?? (options.short ? 4 : 10));
const queries = Number(options.queries ?? (options.short ? 60 : 150));
const mostRows = Number(options.rows ?? (options.short ? 8000 : 30_000));

const require = createRequire(join(installTools('queries', { '@duckdb/node-api': VERSION }), 'package.json'));
const { DuckDBDateValue, DuckDBInstance, DuckDBTimestampValue } = require('@duckdb/node-api');
const [columna, colstore] = await Promise.all(
  ['columna', 'colstore'].map((name) => import(pathToFileURL(join(ROOT, 'packages', name, 'dist', 'index.js')))),
);
const backends = columna.backendInfo().backend === 'native' ? ['native', 'js'] : ['js'];

const folder = mkdtempSync(join(tmpdir(), 'colkit-queries-'));
let failures = 0;
try {
  for (let seed = Number(options.seed); seed < Number(options.seed) + tables; seed++) await compareTable(seed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'all answers are those of DuckDB' : `${failures} answers are not those of DuckDB`);
process.exitCode = failures === 0 ? 0 : 1;

async function compareTable(seed) {
  const random = new Random(seed);
  const rowCount = 1 + random.below(mostRows);
  const { columns, hasNulls, shape } = drawTable(seed, rowCount);
  const duck = await (await DuckDBInstance.create(':memory:')).connect();
  await load(duck, columns, rowCount);
  const files = await writeFiles(seed, columns, hasNulls, random);
  const questions = new Questions(random, new Expressions(random));
  const asked = [];
  for (let number = 0; number < queries; number++) {
    const question = questions.next(rowCount);
    const rows = (await duck.runAndReadAll(question.sql)).getRows();
    asked.push({ ...question, rows });
  }
  duck.closeSync();
  for (const { name, open, edit } of files)
    for (const backend of backends) {
      const table = await open({ backend });
      for (const { text, sql, ask, mayRefuse, rows } of asked) {
        const found = await ask(table, edit).then(
          (answer) => difference(answer, rows),
          (error) => (error.code === 'ERR_VALUE' && mayRefuse?.(rows) ? null : String(error)),
        );
        if (found === null) continue;
        failures += 1;
        if (failures <= MOST_TOLD) console.error(`seed ${seed}, ${name}, ${backend}: ${text}\n  ${found}\n  ${sql}`);
      }
      table.close();
    }
  const nulls = hasNulls ? 'nulls' : 'no nulls';
  console.log(`seed ${seed}: ${rowCount} rows, ${shape}, ${nulls}; ${queries} queries of ${files.length} files`);
}

/** The columns as a table `t` of DuckDB. */
async function load(duck, columns, rowCount) {
  const names = Object.keys(COLUMNS);
  await duck.run(`set timezone = 'UTC'`);
  await duck.run(`create table t (${names.map((name) => `${name} ${COLUMNS[name][1]}`).join(', ')})`);
  const append = {
    BIGINT: (to, value) => to.appendBigInt(value),
    INTEGER: (to, value) => to.appendInteger(value),
    UTINYINT: (to, value) => to.appendUTinyInt(value),
    DOUBLE: (to, value) => to.appendDouble(value),
    FLOAT: (to, value) => to.appendFloat(value),
    VARCHAR: (to, value) => to.appendVarchar(value),
    DATE: (to, value) => to.appendDate(new DuckDBDateValue(Number(value))),
    TIMESTAMP: (to, value) => to.appendTimestamp(new DuckDBTimestampValue(value)),
    BOOLEAN: (to, value) => to.appendBoolean(value),
  };
  const appender = await duck.createAppender('t');
  for (let row = 0; row < rowCount; row++) {
    for (const name of names) {
      const value = columns[name][row];
      if (value === null) appender.appendNull();
      else append[COLUMNS[name][1]](appender, value);
    }
    appender.endRow();
  }
  appender.closeSync();
}

/** Rows [start, end) of all columns. */
function rowsOf(columns, start, end) {
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice(start, end)]));
}

/** A file to which rows were added, most of them a few at a time. */
async function writeGrown(seed, columns, schema) {
  const path = join(folder, `${seed}-grown.cna`);
  const rowCount = columns.id.length;
  let end = rowCount >> 1;
  columna.writeSync(path, rowsOf(columns, 0, end), { schema, pageRows: 512 });
  for (const rows of [1, 70, 300, 9, 500, rowCount]) {
    const start = end;
    end = Math.min(rowCount, start + rows);
    await columna.append(path, rowsOf(columns, start, end), { durability: 'none' });
  }
  return path;
}

/** Three parts of a committed dataset, of which the middle one is small. */
async function writeDataset(seed, columns, schema) {
  const dataset = join(folder, `${seed}-dataset`);
  const rowCount = columns.id.length;
  const ends = [rowCount >> 1, Math.min(rowCount, (rowCount >> 1) + 3), rowCount];
  const parts = [];
  for (const [part, end] of ends.entries())
    parts.push(await columna.writePart(dataset, rowsOf(columns, ends[part - 1] ?? 0, end), { schema }));
  await columna.commit(dataset, parts, { expected: 0 });
  return dataset;
}

/** Rows [start, end), as a .cstore file has them: texts have a width there. */
function storedColumns(columns, start, end) {
  const { typed } = colstore;
  return Object.fromEntries(
    Object.entries(COLUMNS).map(([name, [dtype]]) => [
      name,
      typed(dtype === 'string' ? TEXT_TYPE : dtype, columns[name].slice(start, end)),
    ]),
  );
}

/** The columns in files of each mode, with pages and row groups of other sizes, and where none is null as .cstore. */
async function writeFiles(seed, columns, hasNulls, random) {
  const files = [];
  const schema = Object.fromEntries(
    Object.entries(COLUMNS).map(([name, [dtype]]) => [name, { dtype, nullable: name.endsWith('n') || seed % 3 === 0 }]),
  );
  for (const mode of ['fast', 'default', 'smallest']) {
    const path = join(folder, `${seed}-${mode}.cna`);
    const sizes = random.pick([{}, { pageRows: 512, rowGroupSize: 4000 }, { pageRows: 64, rowGroupSize: 640 }]);
    columna.writeSync(path, columns, { schema, mode, ...sizes });
    files.push({
      name: `${mode} ${JSON.stringify(sizes)}`,
      open: (how) => columna.open(path, how),
      edit: columna.edit,
    });
  }
  const grown = await writeGrown(seed, columns, schema);
  files.push({ name: 'a .cna file that grew', open: (how) => columna.open(grown, how), edit: columna.edit });
  const dataset = await writeDataset(seed, columns, schema);
  files.push({ name: 'a dataset', open: (how) => columna.openDataset(dataset, how), edit: columna.edit });
  if (hasNulls) return files;
  const rowCount = columns.id.length;
  const paths = [0, 1, 2].map((part) => {
    const path = join(folder, `${seed}-${part}.cstore`);
    const [start, end] = [part, part + 1].map((each) => Math.floor((each * rowCount) / 3));
    colstore.writeSync(path, storedColumns(columns, start, end));
    return path;
  });
  files.push({ name: 'three .cstore files', open: (how) => colstore.open(paths, how), edit: colstore.edit });
  const whole = join(folder, `${seed}.cstore`);
  colstore.writeSync(whole, storedColumns(columns, 0, rowCount));
  files.push({ name: 'a .cstore file', open: (how) => colstore.open(whole, how), edit: colstore.edit });
  return files;
}
