// Kills a real writer again and again, at random moments that are spread over all phases of a write, and looks at what is left each time.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSync } from '../../src/read/read.ts';
import { append, appendSync } from '../../src/write/append.ts';
import { recover, recoverSync } from '../../src/write/recover.ts';
import type { Recovery } from '../../src/write/recover.ts';
import { writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, STREAMED_GROUPS, WHOLE_ROWS, rowsOf } from './content.ts';
import { PHASES, parseLine } from './phases.ts';
import type { Announcement, Mode, Phase } from './phases.ts';

/** How often a writer died in a phase, and what it left: 'old' is the state before it began. */
export type Outcome = 'old' | 'part' | 'all';
export type Counts = ReadonlyMap<Phase, Record<Outcome, number>>;

export interface CrashOptions {
  /** The bundled writer. */
  readonly writer: string;
  readonly folder: string;
  readonly mode: Mode;
  readonly kills: number;
  readonly seed: number;
}

const LANES = 2;

/** @throws Error naming kill, phase and state where anything is found that a death may not leave. */
export async function crash(options: CrashOptions): Promise<Counts> {
  const counts = new Map<Phase, Record<Outcome, number>>(PHASES[options.mode].map((phase) => [phase, { old: 0, part: 0, all: 0 }]));
  let next = 0;
  const lane = async (number: number): Promise<void> => {
    const folder = join(options.folder, `${options.mode}-${String(number)}`);
    mkdirSync(folder, { recursive: true });
    while (next < options.kills) {
      const kill = next;
      next += 1;
      const random = generator(options.seed + kill * 7919);
      const path = join(folder, 'data.cna');
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      const once = options.mode === 'stream' || options.mode === 'append' ? streamOnce : wholeOnce;
      try {
        const { phase, outcome } = await once({ ...options, path, kill, random });
        counts.get(phase)![outcome] += 1;
      } catch (error) {
        throw new Error(`kill ${String(kill)} of ${options.mode}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
      const left = readdirSync(folder);
      if (left.length !== 1 || left[0] !== 'data.cna') throw new Error(`kill ${String(kill)}: the next writer left ${left.join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return counts;
}

interface Kill extends CrashOptions {
  readonly path: string;
  readonly kill: number;
  readonly random: () => number;
}

interface Death {
  readonly phase: Phase;
  readonly outcome: Outcome;
}

/** A one-shot writer: the old file or the new one, byte for byte. */
async function wholeOnce(options: Kill): Promise<Death> {
  const { mode, path, kill, random } = options;
  const version = kill * 2 + 2;
  const write = { rowGroupSize: GROUP_ROWS, durability: 'none' } as const;
  if (mode === 'overwrite') writeSync(path, rowsOf(version - 1, 0, WHOLE_ROWS), write);
  const before = mode === 'overwrite' ? readFileSync(path) : null;
  const { phase } = await killDuring(options, version, random() < 0.5 ? 'async' : 'sync');
  const found = existsSync(path) ? readFileSync(path) : null;
  const reference = `${path}.reference`;
  writeSync(reference, rowsOf(version, 0, WHOLE_ROWS), write);
  const isNew = found?.equals(readFileSync(reference)) === true;
  rmSync(reference);
  if (!isNew && !(found === null ? before === null : before?.equals(found) === true)) throw new Error(`${phase}: ${found === null ? 'no file' : `${String(found.length)} bytes`}, neither old nor new`);
  writeSync(path, rowsOf(1, 0, 10), { overwrite: true, durability: 'none' });
  return { phase, outcome: isNew ? 'all' : 'old' };
}

/** A streaming writer or an appender: every row group whose checkpoint was acknowledged, whole row groups only, and the next append goes on from there. */
async function streamOnce(options: Kill): Promise<Death> {
  const { mode, path, kill, random } = options;
  const version = kill + 1;
  const first = mode === 'append' ? ROWS_BEFORE : 0;
  if (mode === 'append') writeSync(path, rowsOf(version, 0, ROWS_BEFORE), { durability: 'none' });
  const { phase, acknowledgedRows } = await killDuring(options, version, random() < 0.5 ? 'async' : 'sync');
  // A file that was appended to is gone on with in either way; a partial file has to be recovered.
  const recovers = mode === 'stream' || random() < 0.5;
  const found = recovers ? await recovered(path, random() < 0.5) : null;
  const least = Math.max(acknowledgedRows, first);
  const more = rowsOf(0, 0, 7);
  if (!existsSync(path)) {
    if (least > 0) throw new Error(`${phase}: ${String(least)} rows were acknowledged, and nothing is there`);
    writeSync(path, more);
    return { phase, outcome: 'old' };
  }
  const report = random() < 0.5 ? await append(path, more) : appendSync(path, more);
  const kept = report.rowCount - 7;
  const total = first + STREAMED_GROUPS * GROUP_ROWS;
  if (found !== null && found.rowCount !== kept) throw new Error(`${phase}: recover found ${String(found.rowCount)} rows, append ${String(kept)}`);
  if (kept < least || kept > total || (kept - first) % GROUP_ROWS !== 0) throw new Error(`${phase}: ${String(kept)} rows, of which ${String(least)} were acknowledged`);
  const columns = readSync(path);
  const [expected, added] = [rowsOf(version, 0, kept), more];
  for (const name of ['id', 'amount', 'text'] as const) {
    const values = Array.from(columns[name] as ArrayLike<unknown>);
    if (JSON.stringify(values) !== JSON.stringify([...expected[name], ...added[name]])) throw new Error(`${phase}: column ${name} has other values`);
  }
  return { phase, outcome: kept === first ? 'old' : kept === total ? 'all' : 'part' };
}

/** Null where there is nothing to recover. */
async function recovered(path: string, sync: boolean): Promise<Recovery | null> {
  try {
    return sync ? recoverSync(path) : await recover(path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_NOT_FOUND') return null;
    throw error;
  }
}

/** Starts the writer and kills it a random moment after it announced one of the phases; returns what it announced last. */
function killDuring({ writer, path, mode, kill, random }: Kill, version: number, form: 'async' | 'sync'): Promise<Announcement> {
  const phases: readonly Phase[] = PHASES[mode];
  const aim = phases[kill % phases.length]!;
  const isOften = aim === 'writing' || aim.includes('pages') || aim.includes('footer') || aim === 'checkpoint acknowledged';
  let skip = isOften ? Math.floor(random() * 5) : 0;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, path, mode, String(version), form], { stdio: ['ignore', 'pipe', 'inherit'] });
    let last: Announcement | undefined;
    let isAimed = false;
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        last = parseLine(text.slice(0, end));
        text = text.slice(end + 1);
        if (isAimed || last.phase !== aim || skip-- > 0) continue;
        isAimed = true;
        setTimeout(() => child.kill('SIGKILL'), random() * 4);
      }
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (last === undefined) reject(new Error(`the writer said nothing and ended with ${String(code ?? signal)}`));
      else if (code !== null && code !== 0) reject(new Error(`the writer failed with ${String(code)} in phase ${last.phase}`));
      else resolve(last);
    });
  });
}

/** A small seeded generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
