// What was found, one folder for each: the mutant, what it did, and the command that does it again. The same fault is
// kept once and counted.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from '@colkit/io';
import { CURRENT } from './job.ts';
import type { Finding } from './job.ts';

const SHOWN_CHARACTERS = 600;

export class Findings {
  readonly #folder: string;
  readonly #seen = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Those that were met, and how often. */
  entries(): [string, number][] {
    return [...this.#seen];
  }

  /** @param command that does it again; @param work the folder with the mutant. */
  add(part: string, { kind, where, text, signature }: Finding, command: string, work: string): void {
    const key = `${part}|${signature}`;
    const times = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, times);
    if (times > 1) return;
    const name = `${part}-${kind}-${crc32(new TextEncoder().encode(key)).toString(16).padStart(8, '0')}`;
    const folder = join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    const mutant = join(work, CURRENT);
    if (existsSync(mutant)) copyFileSync(mutant, join(folder, 'mutant'));
    writeFileSync(join(folder, 'report.txt'), `${kind} at ${where}\n${command}\n\n${text}\n`);
    console.log(
      `\n${name}: ${kind} at ${where}\n  ${command}\n  ${text.slice(0, SHOWN_CHARACTERS).replaceAll('\n', '\n  ')}`,
    );
  }
}
