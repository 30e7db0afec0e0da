// Kills a real writer again and again, at random moments that are spread over all phases of a write, has what is left
// each time looked at, and counts.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRandom } from '../data/prng.ts';
import type { Kill } from './writer-process.ts';

/** What a death left: everything as before the write, a part (up to a checkpoint), or all of it. */
export type Outcome = 'old' | 'part' | 'all';
/** How often a writer died in a phase, and what it left. */
export type Counts<Phase extends string> = ReadonlyMap<Phase, Record<Outcome, number>>;

export interface Death<Phase extends string> {
  readonly phase: Phase;
  readonly outcome: Outcome;
}

export interface CrashOptions<Phase extends string> {
  readonly writer: string;
  /** Of the test; each lane has a folder of its own in it. */
  readonly folder: string;
  /** Of the file that is written. */
  readonly fileName: string;
  readonly mode: string;
  /** In order: in the first nothing can have happened yet, in the last everything has. */
  readonly phases: readonly Phase[];
  /**
   * Kills a writer in an empty folder, looks at what it left, and writes once more.
   * @throws Error for what a death may not leave.
   */
  readonly once: (kill: Kill) => Promise<Death<Phase>>;
}

const LANES = 2;
const SHORT_KILLS = 12;
const FULL_KILLS = process.env['COLKIT_KILLS'];

/**
 * @throws Error naming the kill where anything is found that may not be left, where the next writer leaves something
 * beside its file, or where the deaths are not spread as they should be.
 */
export async function crash<Phase extends string>(options: CrashOptions<Phase>): Promise<Counts<Phase>> {
  const kills = Number(FULL_KILLS ?? SHORT_KILLS);
  const seed = FULL_KILLS === undefined ? 20261121 : Date.now() % 1_000_000;
  const counts = new Map<Phase, Record<Outcome, number>>(
    options.phases.map((phase) => [phase, { old: 0, part: 0, all: 0 }]),
  );
  let next = 0;
  const lane = async (number: number): Promise<void> => {
    const folder = join(options.folder, `${options.mode}-${String(number)}`);
    mkdirSync(folder, { recursive: true });
    while (next < kills) {
      const kill = next;
      next += 1;
      try {
        const { phase, outcome } = await crashOnce(options, folder, kill, seed);
        counts.get(phase)![outcome] += 1;
      } catch (error) {
        throw new Error(
          `seed ${String(seed)}, kill ${String(kill)} of ${options.mode}: ` +
            (error instanceof Error ? error.message : String(error)),
          { cause: error },
        );
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  if (FULL_KILLS !== undefined)
    console.log(`${String(kills)} kills, ${options.mode}, seed ${String(seed)}:\n${tableOf(counts)}`);
  checkCounts(counts, kills);
  return counts;
}

async function crashOnce<Phase extends string>(
  { writer, mode, fileName, once }: CrashOptions<Phase>,
  folder: string,
  kill: number,
  seed: number,
): Promise<Death<Phase>> {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const path = join(folder, fileName);
  const death = await once({ writer, path, mode, kill, random: createRandom(seed + kill * 7919) });
  const left = readdirSync(folder);
  if (left.length !== 1 || left[0] !== basename(path))
    throw new Error(`${death.phase}: the next writer left ${left.join(', ')}`);
  return death;
}

/** How many deaths, of all phases or of one, had an outcome. */
export function countOf<Phase extends string>(counts: Counts<Phase>, outcome: Outcome, phase?: Phase): number {
  return [...counts].reduce(
    (sum, [each, count]) => sum + (phase === undefined || each === phase ? count[outcome] : 0),
    0,
  );
}

function checkCounts(counts: Counts<string>, kills: number): void {
  const phases = [...counts.keys()];
  const [first, last] = [phases[0]!, phases.at(-1)!];
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`${what}:\n${tableOf(counts)}`);
  };
  require(countOf(counts, 'old') > 0 &&
    countOf(counts, 'all') > 0, 'expected deaths before and after the write took place');
  require(countOf(counts, 'part', first) + countOf(counts, 'all', first) ===
    0, `expected nothing to have happened ${first}`);
  require(countOf(counts, 'old', last) + countOf(counts, 'part', last) ===
    0, `expected everything to be there when ${last}`);
  if (FULL_KILLS === undefined) return;
  for (const [phase, { old, part, all }] of counts)
    require(old + part + all > kills / 50, `expected more deaths in the phase ${JSON.stringify(phase)}`);
}

function tableOf(counts: Counts<string>): string {
  const rows = [...counts].map(
    ([phase, { old, part, all }]) =>
      `  ${phase.padEnd(30)} ${String(old).padStart(5)} as before ${String(part).padStart(5)} a part ` +
      `${String(all).padStart(5)} everything`,
  );
  return rows.join('\n');
}
