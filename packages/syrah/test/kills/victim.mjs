// The writer that gets killed: node victim.mjs PATH JOURNAL KILL_AT TORN. Writes a known file with the built library, tells on stdout which phase it is in and which items were
// acknowledged, and kills itself (SIGKILL) at file-system call number KILL_AT, a torn write first where TORN is 1. KILL_AT 0: never; then it tells how many calls there were.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [path, journal, killAtText, torn] = process.argv.slice(2);
const killAt = Number(killAtText);
const { writeSync } = fs;
const tell = (message) => writeSync(1, `${JSON.stringify(message)}\n`);

let calls = 0;
let stage = 'create';
let closing = false;
let published = false;

function enter(name, parameters) {
  const next = phaseOf(name, parameters);
  if (next !== stage) tell({ phase: next });
  stage = next;
  calls += 1;
  if (calls !== killAt) return;
  if (torn === '1' && (name === 'write' || name === 'writeSync')) {
    const [fd, bytes, , length, position] = parameters;
    writeSync(fd, bytes, 0, Math.floor((length ?? bytes.length) / 2), position ?? null);
  }
  process.kill(process.pid, 'SIGKILL');
}

function phaseOf(name, parameters) {
  if (published) return 'cleanup';
  if (!closing) return name.startsWith('write') ? 'items' : stage;
  if (name.startsWith('link') || name.startsWith('rename')) {
    published = true;
    return 'publish';
  }
  if (name.startsWith('fsync')) return 'sync';
  if (name.startsWith('write')) return parameters[4] === 0 ? 'header' : 'metadata';
  return stage;
}

for (const name of ['openSync', 'writeSync', 'fsyncSync', 'linkSync', 'renameSync', 'unlinkSync', 'closeSync', 'rmSync', 'ftruncateSync', 'open', 'write', 'fsync', 'close', 'fchmod']) {
  const original = fs[name];
  fs[name] = Object.assign((...parameters) => {
    enter(name, parameters);
    return original(...parameters);
  }, original);
  for (const symbol of Object.getOwnPropertySymbols(original)) fs[name][symbol] = original[symbol];
}
for (const name of ['link', 'rename', 'unlink', 'rm']) {
  const original = fs.promises[name];
  fs.promises[name] = (...parameters) => {
    enter(name, parameters);
    return original(...parameters);
  };
}
syncBuiltinESMExports();

const { create } = await import('../../dist/index.js');
const { ITEMS, itemOf } = await import('./content.mjs');
calls = 0;
const writer = await create(path, { journal: journal === '1' });
stage = 'items';
tell({ phase: stage });
for (let i = 0; i < ITEMS; i += 1) {
  await writer.addItem(itemOf(i));
  tell({ acknowledged: i + 1 });
}
closing = true;
await writer.close();
tell({ phase: 'done', calls });
