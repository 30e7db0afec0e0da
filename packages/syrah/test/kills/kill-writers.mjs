// Kills a real writer again and again, at chosen system calls and at random times, and looks at what is left: the file is absent or whole; with a journal, everything
// acknowledged is recovered; and a new writer of the same path works. Counts by phase. Throws on the first violation, with what was done.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ITEMS, itemOf, sameItems } from './content.mjs';

const { create, openSync, recover } = await import('../../dist/index.js');
const VICTIM = fileURLToPath(new URL('./victim.mjs', import.meta.url));

/** @returns by phase: kills, files absent and whole, and, of those with a journal, recoveries and the items that they brought back. */
export async function killWriters(kills, seed) {
  const random = generator(seed);
  const counts = new Map();
  for (const journal of ['0', '1']) {
    const dry = await run([journal, '0', '0'], null);
    const calls = dry.calls;
    if (!(calls > 5)) throw new Error(`the writer made ${calls} file-system calls: nothing to kill it at`);
    const runs = journal === '0' ? Math.floor(kills / 2) : Math.ceil(kills / 2);
    for (let k = 0; k < runs; k += 1) {
      const byTime = k % 4 === 3;
      const callNumber = 1 + Math.floor(((k + random()) * calls) / runs);
      const torn = random() < 0.5 ? '1' : '0';
      const label = `seed ${seed}, journal ${journal}, kill ${k}: ${byTime ? 'at a random time' : `call ${callNumber} of ${calls}, torn ${torn}`}`;
      const delay = byTime ? random() * dry.milliseconds : null;
      const found = await run(byTime ? [journal, '0', '0'] : [journal, String(callNumber), torn], delay).catch((error) => {
        throw new Error(`${label}: ${error.message}`, { cause: error });
      });
      const key = `${journal === '1' ? 'journal ' : ''}${found.phase}`;
      const count = counts.get(key) ?? { kills: 0, absent: 0, whole: 0, recovered: 0, items: 0 };
      count.kills += 1;
      count[found.file] += 1;
      count.recovered += found.recovered === null ? 0 : 1;
      count.items += found.recovered ?? 0;
      counts.set(key, count);
    }
  }
  return counts;
}

async function run([journal, killAt, torn], delay) {
  const folder = mkdtempSync(join(tmpdir(), 'syrah-kill-'));
  try {
    const path = join(folder, 'killed.syr');
    const victim = await finish(spawn(process.execPath, [VICTIM, path, journal, killAt, torn], { stdio: ['ignore', 'pipe', 'inherit'] }), delay);
    if (killAt === '0' && delay === null && victim.phase !== 'done') throw new Error('the writer did not finish by itself');
    return { ...victim, ...(await examine(path, journal === '1', victim.acknowledged)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function finish(child, delay) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let output = '';
    let timer = null;
    child.stdout.on('data', (data) => {
      // The time counts from the writer's first sign of life: loading the library is no phase of it.
      if (output === '' && delay !== null) timer = setTimeout(() => child.kill('SIGKILL'), delay);
      output += data;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal !== 'SIGKILL' && code !== 0) reject(new Error(`the writer ended by itself with code ${code}, signal ${signal}`));
      const state = { phase: 'create', acknowledged: 0, calls: 0, milliseconds: performance.now() - start };
      for (const line of output.split('\n').slice(0, -1)) Object.assign(state, JSON.parse(line));
      resolve(state);
    });
  });
}

async function examine(path, journal, acknowledged) {
  const file = existsSync(path) ? 'whole' : 'absent';
  if (file === 'whole') check(path, ITEMS, ITEMS);
  let recovered = null;
  if (journal) {
    const report = await recover(path).catch((error) => ({ status: 'nothing', itemCount: 0, reason: error.message }));
    if (report.itemCount < acknowledged) throw new Error(`${acknowledged} items were acknowledged, ${report.itemCount} recovered: ${report.reason}`);
    if (report.status !== 'nothing') check(path, acknowledged, report.itemCount);
    if (report.status === 'recovered') recovered = report.itemCount;
  }
  const writer = await create(path, { overwrite: true });
  await writer.addItem(itemOf(0));
  await writer.close();
  check(path, 1, 1);
  const left = readdirSync(join(path, '..')).filter((name) => name !== basename(path));
  if (left.length > 0) throw new Error(`left behind after the next writer: ${left.join(', ')}`);
  return { file, recovered };
}

function check(path, atLeast, exactly) {
  const file = openSync(path);
  const good = file.itemCount === exactly && exactly >= atLeast && sameItems(file, exactly);
  file.close();
  if (!good) throw new Error(`${path} has ${file.itemCount} items, or wrong ones, instead of ${exactly}`);
}

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
