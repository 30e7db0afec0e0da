// A writer that is killed leaves the old file or the new one; a streaming writer and an appender leave at least every row group that was acknowledged. Short here, long in full.mjs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recoverSync } from '../../src/write/recover.ts';
import { writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, WHOLE_ROWS, rowsOf } from './content.ts';
import { crash } from './harness.ts';
import type { Counts } from './harness.ts';
import { MODES, PHASES } from './phases.ts';
import type { Mode } from './phases.ts';

const isFull = process.env['COLUMNA_KILLS'] !== undefined;
const kills = Number(process.env['COLUMNA_KILLS'] ?? 12);
// What is written does not depend on the backend: once is enough.
const isOther = process.env['COLKIT_BACKEND'] === 'native';

let folder = '';
let writer = '';
beforeAll(async () => {
  if (isOther) return;
  folder = mkdtempSync(join(tmpdir(), 'columna-crash-'));
  // Child processes cannot run TypeScript on Node 20: the writer is bundled from the sources once.
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    ssr: { noExternal: true, resolve: { conditions: ['@colkit/source'] } },
    build: { ssr: fileURLToPath(new URL('./writer.ts', import.meta.url)), outDir: folder, target: 'node20', minify: false, rollupOptions: { output: { entryFileNames: 'writer.mjs' } } },
  });
  writer = join(folder, 'writer.mjs');
}, 300_000);
afterAll(() => rmSync(folder || 'no folder was made', { recursive: true, force: true }));

const TITLES: Record<Mode, string> = { new: 'a new file at once', overwrite: 'an overwrite at once', stream: 'a streaming writer', append: 'an appender' };

function table(mode: Mode, counts: Counts): string {
  const rows = PHASES[mode].map((phase) => {
    const { old, part, all } = counts.get(phase)!;
    return `  ${phase.padEnd(30)} ${String(old).padStart(5)} as before ${String(part).padStart(5)} up to a checkpoint ${String(all).padStart(5)} everything`;
  });
  return [`${String(kills)} kills of ${TITLES[mode]}:`, ...rows].join('\n');
}

describe.skipIf(isOther).each(MODES)('%s', (mode) => {
  it('keeps what it must keep, every time', { timeout: 1_800_000 }, async () => {
    const seed = isFull ? Date.now() % 1_000_000 : 20261121;
    const counts = await crash({ writer, folder, mode, kills, seed });
    if (isFull) console.log(`${table(mode, counts)}\n  seed ${String(seed)}`);
    const sum = (outcome: 'old' | 'part' | 'all'): number => [...counts.values()].reduce((total, count) => total + count[outcome], 0);
    expect(sum('old') + sum('part') + sum('all')).toBe(kills);
    expect(sum('old')).toBeGreaterThan(0);
    expect(sum('all')).toBeGreaterThan(0);
    expect(sum('part') > 0).toBe(mode === 'stream' || mode === 'append');
    expect(counts.get('finished')!.old + counts.get('finished')!.part).toBe(0);
    expect(counts.get('before the first byte')!.part + counts.get('before the first byte')!.all).toBe(0);
    if (isFull) for (const phase of PHASES[mode]) expect(Object.values(counts.get(phase)!).reduce((total, count) => total + count), phase).toBeGreaterThan(kills / 50);
  });
});

describe.skipIf(isOther || process.platform === 'win32')('a disk that is full by the kernel (a limit of the file size)', () => {
  const limited = (path: string, mode: Mode, form: string, blocks: number) =>
    spawnSync('bash', ['-c', `ulimit -f ${String(blocks)}; exec "$0" "$@"`, process.execPath, writer, path, mode, '3', form], { encoding: 'utf8' });
  const names = (name: string) => readdirSync(folder).filter((each) => each.startsWith(name) || each.startsWith(`.${name}`)).sort();

  it.each(['async', 'sync'])('%s: at once: an error, and the old file stays', (form) => {
    const path = join(folder, `limited-${form}.cna`);
    writeSync(path, rowsOf(1, 0, WHOLE_ROWS));
    const before = readFileSync(path);
    const { status, stderr } = limited(path, 'overwrite', form, 2);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(names(`limited-${form}`)).toEqual([`limited-${form}.cna`]);
  });

  it.each(['async', 'sync'])('%s: streaming: an error, and recover keeps the checkpoints', (form) => {
    const path = join(folder, `streamed-${form}.cna`);
    const { status, stdout, stderr } = limited(path, 'stream', form, 8);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
    const acknowledged = Math.max(...stdout.trimEnd().split('\n').map((line) => Number(line.split(' ')[0])));
    expect(acknowledged).toBeGreaterThan(0);
    expect(names(`streamed-${form}`)).toEqual([`streamed-${form}.cna.partial`]);
    expect(recoverSync(path)).toMatchObject({ status: 'recovered', rowCount: acknowledged });
  });

  it.each(['async', 'sync'])('%s: appending: an error, and the file is whole up to the last checkpoint', (form) => {
    const path = join(folder, `appended-${form}.cna`);
    writeSync(path, rowsOf(3, 0, ROWS_BEFORE), { rowGroupSize: GROUP_ROWS });
    const { status, stdout, stderr } = limited(path, 'append', form, 12);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/IoError: .*EFBIG/)]);
    const acknowledged = Math.max(...stdout.trimEnd().split('\n').map((line) => Number(line.split(' ')[0])));
    expect(recoverSync(path)).toMatchObject({ status: 'whole', rowCount: Math.max(acknowledged, ROWS_BEFORE) });
    expect(names(`appended-${form}`)).toEqual([`appended-${form}.cna`]);
  });
});
