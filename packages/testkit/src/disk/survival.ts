// Every state that a power failure may leave of what was recorded, looked at and judged; and which syncs of a writer
// nobody would miss. How many states: COLKIT_CRASH_SAMPLES (the long form), else few enough for a test of seconds.
import { createHash } from 'node:crypto';
import type { DiskState } from './history.ts';
import type { PowerLoss } from './power-losses.ts';
import { powerLosses } from './power-losses.ts';
import type { RecordingDisk } from './recording-disk.ts';

export interface Survival<T> {
  /** What is found on a disk: costs time, and is asked once for each state. */
  readonly look: (state: DiskState) => T;
  /** What was found on other disks of the same folder, by their states: most come again with every sync that fails. */
  readonly known?: Map<string, T>;
  /** A word for the outcome, to be counted. @throws Error where it breaks a promise. */
  readonly judge: (found: T, least: number) => string;
  readonly seed?: number;
  /** 24 unless told; the long form has more. */
  readonly samples?: number;
}

const SAMPLES = process.env['COLKIT_CRASH_SAMPLES'];
const SEED = Number(process.env['COLKIT_CRASH_SEED'] ?? 1);

/** How often each outcome was met. @throws Error for the first state that breaks a promise, with all that makes it. */
export function survive<T>(disk: RecordingDisk, survival: Survival<T>): Map<string, number> {
  const outcomes = new Map<string, number>();
  const judged = new Map<string, number>();
  const { seed = SEED, known = new Map<string, T>() } = survival;
  const samples = SAMPLES === undefined ? (survival.samples ?? 24) : Number(SAMPLES);
  for (const loss of powerLosses(disk.history, { samples, seed, from: disk.start })) {
    const key = digestOf(loss.state);
    if ((judged.get(key) ?? -1) >= loss.least) continue;
    const outcome = described(loss, () => {
      if (!known.has(key)) known.set(key, survival.look(loss.state));
      judged.set(key, loss.least);
      return survival.judge(known.get(key) as T, loss.least);
    });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}

/**
 * The syncs that can be left out, one at a time, without a broken promise: each by its number and what it syncs.
 * @param record makes the writer work on a disk that forgets a sync (null: none), and gives that disk.
 */
export async function needlessSyncs<T>(
  record: (forget: number | null) => Promise<RecordingDisk>,
  survivalOf: (disk: RecordingDisk) => Survival<T>,
): Promise<{ readonly needless: string[]; readonly all: readonly string[] }> {
  const { syncs: all } = await record(null);
  const needless: string[] = [];
  for (const [number, name] of all.entries()) {
    const disk = await record(number);
    try {
      survive(disk, survivalOf(disk));
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      continue;
    }
    needless.push(`${number}: ${name}`);
  }
  return { needless, all };
}

/** A promise that a power failure breaks. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

function described<T>(loss: PowerLoss, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new BrokenPromise(`${what}\n  power lost ${loss.describe()}`, { cause: error });
  }
}

function digestOf({ names, files }: DiskState): string {
  const hash = createHash('sha1');
  for (const [path, file] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { bytes, mode } = files.get(file)!;
    hash.update(`${path}\0${file}\0${mode}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('base64');
}
