// Each of our names in the page for users of Python's colstore exists: functions, members of what they give, options,
// commands and their flags.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as colstore from 'colstore';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colkit-parity-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.cstore');
colstore.writeSync(path, { x: Int32Array.of(1) });
const table = colstore.openSync(path);
/** What stands before the dot. */
const OBJECTS = {
  table,
  column: table.column('x'),
  edit: colstore.edit(table),
  col: colstore.col('x'),
  writer: colstore.ColStoreWriter.prototype,
  appender: colstore.ColStoreAppender.prototype,
  info: colstore.infoSync(path),
};
const DECLARED = ['io', 'table', 'colstore']
  .map((name) => declarations(join(ROOT, 'packages', name, 'src')))
  .join('\n');

function declarations(sources) {
  return execFileSync('grep', ['-rhoE', String.raw`readonly \w+\?:`, sources], { encoding: 'utf8' });
}

const colkit = (...words) =>
  execFileSync(process.execPath, [join(ROOT, 'packages/colkit/bin/colkit.js'), ...words], { encoding: 'utf8' });
const VERBS = colkit('help');

/** Why there is no such thing; null where there is. */
function missing(token) {
  const [, name] = /^(\w+)\(\)$/.exec(token) ?? [];
  if (name !== undefined) return typeof colstore[name] === 'function' ? null : 'no such function';
  const [, object, member, call] = /^(\w+)\.(\w+)(\(\))?$/.exec(token) ?? [];
  if (object !== undefined) {
    const of = OBJECTS[object];
    if (of === undefined || !(member in of)) return `no such member of ${object}`;
    // Getters of a prototype have no instance to run on.
    return call === undefined || typeof of[member] === 'function' ? null : 'no method';
  }
  const [, options] = /^\{ ([\w, ]+) \}$/.exec(token) ?? [];
  if (options !== undefined)
    return options.split(', ').find((option) => !DECLARED.includes(`readonly ${option}?:`)) ?? null;
  const [, verb, flag] = /^colkit (\w+)(?: (--[\w-]+))?$/.exec(token) ?? [];
  if (verb === undefined) return 'neither a function nor a member, an option or a command';
  if (!new RegExp(`^ +${verb}\\b`, 'm').test(VERBS)) return 'no such command';
  return flag === undefined || colkit('help', verb).includes(flag) ? null : 'no such flag';
}

test('each name of the table exists', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/from-python-colstore.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Python |'));
  assert.ok(rows.length > 50, `${rows.length} rows`);
  const tokens = rows.flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/);
    assert.equal(cells.length, 5, row);
    return [...cells[2].matchAll(/`([^`]+)`/g)].map(([, token]) => token);
  });
  assert.ok(tokens.length > 90, `${tokens.length} names`);
  const wrong = tokens.flatMap((token) => {
    const why = missing(token);
    return why === null ? [] : [`${token}: ${why}`];
  });
  assert.deepEqual(wrong, []);
});
