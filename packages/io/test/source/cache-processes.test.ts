// One folder of blocks for several processes: the same blocks at the same time, while others remove them, and while
// processes are killed in the middle of writing. Every byte that is read is right, and the folder stays usable.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectServer } from '../../../testkit/src/object-server.ts';
import { afterAll, expect, test } from 'vitest';
import { openSource } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-cache-processes-'));
const server = await objectServer();
const BLOCK = 128 * 1024;
const BLOCKS = 12;
/** Fewer than there are: blocks go while others read them. */
const FOLDER_BYTES = 5 * BLOCK;
const contents = Uint8Array.from({ length: BLOCKS * BLOCK }, (_, i) => (i * 7 + (i >> 9)) & 255);
server.objects.set('a', contents);
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads blocks in an order of its own, and says which byte is wrong. */
const READER = `
  import { openSource } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
  const [url, folder, seed, reads] = process.argv.slice(1);
  let state = Number(seed);
  const cache = { folder, bytes: 0, folderBytes: ${String(FOLDER_BYTES)} };
  const source = await openSource(url, { cache });
  console.log('reading');
  for (let read = 0; read < Number(reads); read += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const start = state % ${String((BLOCKS - 1) * BLOCK)};
    const out = new Uint8Array(1000);
    await source.read(start, out);
    out.forEach((byte, k) => {
      const i = start + k;
      if (byte !== ((i * 7 + (i >> 9)) & 255)) throw new Error('byte ' + i + ' is ' + byte);
    });
  }
  source.close();
`;

function reader(seed: number, reads: number): { child: ChildProcess; started: Promise<void>; ended: Promise<string> } {
  const parameters = ['--input-type=module', '-e', READER, server.url('a'), folder, String(seed), String(reads)];
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const started = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(signal ?? (code === 0 ? 'right' : said));
    });
  });
  return { child, started, ended };
}

test('processes share a folder while blocks go, and while some of them are killed', async () => {
  const steady = [1, 2].map((seed) => reader(seed, 250));
  const killed: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { child, started, ended } = reader(100 + round, 1_000_000);
    await started;
    await new Promise((resolve) => setTimeout(resolve, 5 + 11 * round));
    child.kill('SIGKILL');
    killed.push(await ended);
  }
  expect(killed).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect(await Promise.all(steady.map(({ ended }) => ended))).toEqual(['right', 'right']);
  // Whatever is there now is right, and what a dead writer left is no block.
  const source = await openSource(server.url('a'), { cache: { folder, bytes: 0, folderBytes: FOLDER_BYTES } });
  const all = new Uint8Array(contents.length);
  await source.read(0, all);
  expect(Buffer.compare(all, contents)).toBe(0);
  source.close();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.block')).length).toBeGreaterThan(0);
}, 30_000);
