// A writer that is killed leaves the old file or the new one, whole, whatever it was doing; and the next writer cleans up after it. Short here, long in full.mjs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash } from './harness.ts';
import type { Counts, Mode } from './harness.ts';
import { PHASES } from './phases.ts';

const kills = Number(process.env['COLSTORE_KILLS'] ?? 12);
const isFull = process.env['COLSTORE_KILLS'] !== undefined;

let folder = '';
let writer = '';
beforeAll(async () => {
  if (process.env['COLKIT_BACKEND'] === 'native') return;
  folder = mkdtempSync(join(tmpdir(), 'colstore-crash-'));
  // Child processes cannot run TypeScript on Node 20: the writer is bundled from the sources once.
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    ssr: { noExternal: true, resolve: { conditions: ['@colkit/source'] } },
    build: { ssr: fileURLToPath(new URL('./writer.ts', import.meta.url)), outDir: folder, target: 'node20', minify: false, rollupOptions: { output: { entryFileNames: 'writer.mjs' } } },
  });
  writer = join(folder, 'writer.mjs');
}, 120_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

function table(mode: Mode, counts: Counts): string {
  const rows = PHASES.map((phase) => `  ${phase.padEnd(26)} ${String(counts.get(phase)!.old).padStart(5)} old ${String(counts.get(phase)!.new).padStart(5)} new`);
  return [`${String(kills)} kills, ${mode === 'new' ? 'a new file' : 'an overwrite'}:`, ...rows].join('\n');
}

// What is written does not depend on the backend: once is enough.
describe.skipIf(process.env['COLKIT_BACKEND'] === 'native').each(['new', 'overwrite'] as const)('%s', (mode) => {
  it('is the old file or the new one, whole, every time', { timeout: 1_800_000 }, async () => {
    const seed = isFull ? Date.now() % 1_000_000 : 20261121;
    const counts = await crash({ writer, folder, mode, kills, seed });
    if (isFull) console.log(`${table(mode, counts)}\n  seed ${String(seed)}`);
    const sum = (state: 'old' | 'new'): number => [...counts.values()].reduce((total, count) => total + count[state], 0);
    expect(sum('old') + sum('new')).toBe(kills);
    expect(sum('old')).toBeGreaterThan(0);
    expect(sum('new')).toBeGreaterThan(0);
    expect(counts.get('in place')!.old + counts.get('finished')!.old).toBe(0);
    expect(counts.get('before the first byte')!.new + counts.get('writing')!.new).toBe(0);
    if (isFull) for (const phase of PHASES) expect(counts.get(phase)!.old + counts.get(phase)!.new, phase).toBeGreaterThan(kills / 50);
  });
});

it.skipIf(process.env['COLKIT_BACKEND'] === 'native' || process.platform === 'win32')('a disk that is full by the kernel (a limit of the file size): an error, and the old file stays', () => {
  const path = join(folder, 'limited.cstore');
  writeFileSync(path, 'old');
  for (const form of ['async', 'sync']) {
    const { status, stderr } = spawnSync('bash', ['-c', 'ulimit -f 200; exec "$0" "$@"', process.execPath, writer, path, 'overwrite', '3', form], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/IoError: .*limited\.cstore: write: EFBIG/);
    expect(stderr).toContain("code: 'ERR_WRITE'");
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.includes('limited'))).toEqual(['limited.cstore']);
  }
});
