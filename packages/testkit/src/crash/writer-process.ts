// A real writer in a process of its own, which is killed at a chosen moment or meets a full disk, and what is known of
// it afterwards.
import { spawn, spawnSync } from 'node:child_process';
import type { Random } from '../data/prng.ts';
import { parseAnnouncement } from './announcements.ts';
import type { Announcement } from './announcements.ts';

/** Most milliseconds from an announcement to the death: about as long as a writer pauses. */
const LONGEST_DELAY_MS = 4;

/**
 * Runs a script; `onLine` sees each line of its output with a way to kill it.
 * @returns all lines.
 * @throws Error where it ended by itself with another code than 0, or said nothing.
 */
export function runWriter(
  words: readonly string[],
  onLine: (line: string, kill: () => void) => void,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = (text + chunk.toString('utf8')).split('\n');
      text = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        onLine(line, () => child.kill('SIGKILL'));
      }
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const last = lines.at(-1);
      if (last === undefined) reject(new Error(`the writer said nothing and ended with ${String(code ?? signal)}`));
      else if (code !== 0 && signal !== 'SIGKILL')
        reject(new Error(`the writer failed with ${String(code ?? signal)} after ${JSON.stringify(last)}`));
      else resolve(lines);
    });
  });
}

/** One death of many: which one, of which script, at which path. */
export interface Kill {
  /**
   * The bundled writer. It takes a path, a mode, a version of the content, and 'async' or 'sync', and announces its
   * phases.
   */
  readonly writer: string;
  readonly path: string;
  readonly mode: string;
  /** From 0. */
  readonly kill: number;
  readonly random: Random;
}

/**
 * Starts the writer and kills it a random moment after it announced one of the phases, each in its turn.
 * @param times about how often a phase is announced in a run: any one of them is chosen. @returns what was announced
 * last.
 */
export async function killWriter<Phase extends string>(
  { writer, path, mode, kill, random }: Kill,
  version: number,
  phases: readonly Phase[],
  times: (phase: Phase) => number,
): Promise<Announcement<Phase>> {
  const aim = phases[kill % phases.length]!;
  let skip = random.integer(times(aim));
  let isAimed = false;
  const lines = await runWriter([writer, path, mode, String(version), random.pick(['async', 'sync'])], (line, die) => {
    if (isAimed || parseAnnouncement(line, phases).phase !== aim || skip-- > 0) return;
    isAimed = true;
    setTimeout(die, random.number() * LONGEST_DELAY_MS);
  });
  return parseAnnouncement(lines.at(-1)!, phases);
}

/**
 * Runs the writer on a disk that is full by the kernel: a limit of the file size, in blocks of 1024 bytes. Not on
 * Windows.
 */
export function runLimited(
  words: readonly string[],
  blocks: number,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync('bash', ['-c', `ulimit -f ${String(blocks)}; exec "$0" "$@"`, process.execPath, ...words], {
    encoding: 'utf8',
  });
}
