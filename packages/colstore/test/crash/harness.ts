// Kills a real writer again and again, at random moments that are spread over all phases of a write, and looks at what is left each time.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSync } from '../../src/index.ts';
import { contentOf } from './content.ts';
import { PHASES, phaseOfByte } from './phases.ts';
import type { Phase } from './phases.ts';

export type Mode = 'new' | 'overwrite';
/** How often a writer died in a phase, and what it left. */
export type Counts = ReadonlyMap<Phase, { old: number; new: number }>;

export interface CrashOptions {
  /** The bundled writer. */
  readonly writer: string;
  readonly folder: string;
  readonly mode: Mode;
  readonly kills: number;
  readonly seed: number;
}

const LANES = 2;

/** @throws Error naming kill, phase and state where anything but the old or the new file, whole, is found, or where the next write leaves something beside it. */
export async function crash(options: CrashOptions): Promise<Counts> {
  const counts = new Map(PHASES.map((phase) => [phase, { old: 0, new: 0 }]));
  let next = 0;
  const lane = async (number: number): Promise<void> => {
    const folder = join(options.folder, `${options.mode}-${String(number)}`);
    mkdirSync(folder, { recursive: true });
    while (next < options.kills) {
      const kill = next;
      next += 1;
      const { phase, state } = await crashOnce(options, folder, kill);
      counts.get(phase)![state] += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return counts;
}

async function crashOnce({ writer, mode, seed }: CrashOptions, folder: string, kill: number): Promise<{ phase: Phase; state: 'old' | 'new' }> {
  const random = generator(seed + kill * 7919);
  const path = join(folder, 'data.cstore');
  const reference = join(folder, 'reference.cstore');
  const version = kill * 2 + 2;
  rmSync(path, { force: true });
  if (mode === 'overwrite') writeSync(path, contentOf(version - 1), { durability: 'none' });
  const before = mode === 'overwrite' ? readFileSync(path) : null;
  const phase = await killDuring([writer, path, mode, String(version), random() < 0.5 ? 'async' : 'sync'], PHASES[kill % PHASES.length]!, random);
  writeSync(reference, contentOf(version), { durability: 'none' });
  const after = readFileSync(reference);
  rmSync(reference);
  const found = existsSync(path) ? readFileSync(path) : null;
  const isNew = found?.equals(after) === true;
  if (!isNew && !(found === null ? before === null : before?.equals(found) === true)) {
    throw new Error(`kill ${String(kill)} (${mode}, ${phase}): ${found === null ? 'no file' : `a file of ${String(found.length)} bytes that is neither the old nor the new one`}`);
  }
  checkCleaning(folder, path, kill, phase);
  return { phase, state: isNew ? 'new' : 'old' };
}

/** The next write succeeds and takes the dead writer's temporary file away. */
function checkCleaning(folder: string, path: string, kill: number, phase: Phase): void {
  writeSync(path, { x: Int8Array.of(1) }, { overwrite: true, durability: 'none' });
  const left = readdirSync(folder);
  if (left.length !== 1 || left[0] !== 'data.cstore') throw new Error(`kill ${String(kill)} (${phase}): the next write left ${left.join(', ')}`);
}

/** Starts the writer and kills it a random moment after it announced `aim`; returns the last phase that it reached. */
function killDuring(args: readonly string[], aim: Phase, random: () => number): Promise<Phase> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    // Among the many writes of a file, any one; else the first announcement.
    let skip = aim === 'writing' ? Math.floor(random() * 40) : 0;
    let last: Phase | undefined;
    let isAimed = false;
    child.stdout.on('data', (chunk: Buffer) => {
      for (const byte of chunk) {
        last = phaseOfByte(byte) ?? last;
        if (isAimed || last !== aim || skip-- > 0) continue;
        isAimed = true;
        setTimeout(() => child.kill('SIGKILL'), random() * 3);
      }
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (last === undefined) reject(new Error(`the writer said nothing and ended with ${String(code ?? signal)}`));
      else if (code !== null && code !== 0) reject(new Error(`the writer failed with ${String(code)} in phase ${last}`));
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
