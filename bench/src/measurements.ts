// Measurements that are no suites: they time one package by itself, and tell a table.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteMode } from 'columna';
import { remoteReport, runRemote } from '../remote/remote-epochs.ts';
import { ratesModule, ratesReport, runRates } from '../shapes/rates.ts';
import { runShapes, shapesReport } from '../shapes/run-shapes.ts';
import type { Arguments } from './arguments.ts';
import { CACHE_FOLDER } from './cache-folder.ts';
import { PACKAGE_FOLDER } from './checkouts/package-folder.ts';
import { describeMachine, machineName } from './report/machine.ts';
import type { Progress } from './run/progress.ts';

export const RESULTS_FOLDER = join(PACKAGE_FOLDER, 'results');
const RATES_FILE = join(PACKAGE_FOLDER, '../packages/columna/src/columns/encodings/decoding-rates.ts');

/** Writes what is committed: `results/<name>-<machine>.md`. */
export function saveText(name: string, text: string, progress: Progress): void {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const path = join(RESULTS_FOLDER, `${name}-${machineName(describeMachine())}.md`);
  writeFileSync(path, `${text}\n`);
  progress.done(`saved: ${path}`);
}

/** What `--quick` leaves of four million rows is enough to see a cliff. */
export function shapes({ words, quick, rounds, clock, mode, tasks, save }: Arguments, progress: Progress): boolean {
  const results = runShapes({
    rows: quick ? 400_000 : 4_000_000,
    rounds: rounds ?? (quick ? 3 : 7),
    clock,
    mode: mode as WriteMode,
    tasks,
    names: words,
    folder: join(CACHE_FOLDER, 'shapes'),
    onProgress: (text) => progress.update(text),
  });
  const text = shapesReport(results);
  progress.done(`\n${text}\n`);
  if (save) saveText(`shapes-${mode}`, text, progress);
  return true;
}

/** Times of decoding, as the table of the writer. */
export function rates({ quick, rounds, clock, save }: Arguments, progress: Progress): boolean {
  const measured = runRates({
    // Whole pages.
    rows: (quick ? 8 : 32) * 65_536,
    rounds: rounds ?? (quick ? 5 : 15),
    clock,
    folder: join(CACHE_FOLDER, 'rates'),
    onProgress: (text) => progress.update(text),
  });
  progress.done(`\n${ratesReport(measured)}\n`);
  if (!save) return true;
  writeFileSync(RATES_FILE, ratesModule(measured));
  progress.done(`saved: ${RATES_FILE}`);
  return true;
}

/** Epochs over a server, beside those over files. */
export async function remote({ quick, rounds, save }: Arguments, progress: Progress): Promise<boolean> {
  const options = {
    folder: join(CACHE_FOLDER, 'remote'),
    server: new URL('remote-server.js', import.meta.url),
    delayMs: 20,
    stepMs: 10,
    files: 4,
    items: quick ? 512 : 2048,
    rounds: rounds ?? (quick ? 1 : 3),
    onProgress: (text: string) => progress.update(text),
  };
  const text = remoteReport(await runRemote(options), options);
  progress.done(`\n${text}\n`);
  if (save) saveText('remote', text, progress);
  return true;
}
