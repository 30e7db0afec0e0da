// pnpm fuzz: hostile files in all formats, hostile arguments, hostile pages, for some minutes; says what it did and
// ends with 1 where something was found.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { backendInfo } from '@colkit/io';
import { drive } from './run/drive.ts';
import { Findings } from './run/findings.ts';
import type { Report } from './run/job.ts';
import { PARTS, USAGE, UsageError, parseOptions } from './run/options.ts';
import type { Options, Part } from './run/options.ts';
import { fuzzPages, runPage } from './run/pages.ts';
import { ROOT, libFuzzer, sanitizedAddon } from './run/sanitizers.ts';
import type { Sanitized } from './run/sanitizers.ts';

/** What a part did. */
interface Tally {
  readonly part: Part;
  mutants: number;
  readonly outcomes: Map<string, number>;
  readonly seconds: number;
}

const LINE_WIDTH = 118;
const WHAT: Readonly<Partial<Record<Part, string>>> = { arguments: 'calls', pages: 'inputs' };

try {
  process.exitCode = await main(parseOptions(process.argv.slice(2).filter((argument) => argument !== '--')));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function main(options: Options): Promise<number> {
  console.log(`seed ${String(options.seed)}`);
  const sanitized = options.plain ? null : sanitizedAddon();
  const info = backendInfo();
  const native = sanitized !== null || info.backend === 'native';
  if (sanitized === null)
    console.log(
      native ? `without sanitizers, the addon is ${info.path ?? ''}` : `no addon, TypeScript alone: ${info.reason}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'colkit-fuzz-'));
  const findings = new Findings(join(ROOT, 'packages', 'fuzz', 'findings'));
  try {
    const tallies: Tally[] = [];
    for (const part of options.parts) {
      const tally = await runPart(part, options, { folder: join(folder, part), native, sanitized, findings });
      if (tally !== null) tallies.push(tally);
    }
    if (options.mutant === null && options.file === null) summarise(tallies, findings);
    else if (findings.size === 0) console.log('nothing found');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return findings.size === 0 ? 0 : 1;
}

interface Surroundings {
  readonly folder: string;
  readonly native: boolean;
  readonly sanitized: Sanitized | null;
  readonly findings: Findings;
}

/** Null where the part needs what is not here. */
async function runPart(
  part: Part,
  options: Options,
  { folder, native, sanitized, findings }: Surroundings,
): Promise<Tally | null> {
  const all = options.parts.reduce((sum, each) => sum + PARTS[each], 0);
  const seconds = (60 * options.minutes * PARTS[part]) / all;
  const tally: Tally = { part, mutants: 0, outcomes: new Map(), seconds };
  const command = (number: number): string =>
    part === 'pages'
      ? 'pnpm fuzz pages --file packages/fuzz/findings/<this>/mutant'
      : `pnpm fuzz ${part} --seed ${String(options.seed)} --mutant ${String(number)}`;
  const onReport = ({ number, outcomes, findings: found }: Report): void => {
    for (const [word, count] of Object.entries(outcomes))
      tally.outcomes.set(word, (tally.outcomes.get(word) ?? 0) + count);
    for (const finding of found)
      findings.add(
        part,
        finding,
        options.file === null ? command(number) : `pnpm fuzz ${part} --file ${options.file}`,
        folder,
      );
  };
  if (part === 'pages') return runPages(tally, options, { folder, native, sanitized, findings }, onReport);
  if (part === 'arguments' && !native) {
    console.log('arguments: not done, there is no addon');
    return null;
  }
  const only =
    options.mutant !== null
      ? { mutant: options.mutant }
      : options.file !== null
        ? { file: resolve(options.file) }
        : undefined;
  const deadline = Date.now() + 1000 * seconds;
  const drives = {
    part,
    seed: options.seed,
    folder,
    deadline,
    native,
    environment: sanitized?.environment ?? {},
    onReport,
  };
  tally.mutants = await drive({ ...drives, ...(only === undefined ? {} : { only }) });
  return tally;
}

function runPages(
  tally: Tally,
  options: Options,
  { folder, sanitized }: Surroundings,
  onReport: (report: Report) => void,
): Tally | null {
  mkdirSync(folder, { recursive: true });
  const withClang = options.plain ? null : libFuzzer();
  const loop = sanitized?.pageLoop ?? null;
  if (options.file !== null) {
    const output =
      withClang === null && loop === null
        ? 'no program: neither clang nor sanitizers'
        : runPage((withClang ?? loop) as string, resolve(options.file));
    if (output !== null)
      onReport({
        number: 0,
        outcomes: {},
        findings: [{ kind: 'crash', where: 'page', text: output, signature: 'page' }],
      });
    return tally;
  }
  const runs = fuzzPages({ libFuzzer: withClang, loop, seed: options.seed, seconds: tally.seconds, folder, onReport });
  if (runs === null) {
    console.log('pages: not done, there are neither clang nor sanitizers');
    return null;
  }
  tally.mutants = runs;
  tally.outcomes.set(withClang === null ? 'by our own loop' : 'by libFuzzer', runs);
  return tally;
}

function summarise(tallies: readonly Tally[], findings: Findings): void {
  console.log('');
  for (const { part, mutants, outcomes, seconds } of tallies) {
    console.log(`${part}: ${mutants.toLocaleString('en')} ${WHAT[part] ?? 'mutants'} in ${seconds.toFixed(0)} s`);
    let line = ' ';
    for (const [word, count] of [...outcomes].sort(([, a], [, b]) => b - a)) {
      const item = ` ${word} ${count.toLocaleString('en')}`;
      if (line.length + item.length > LINE_WIDTH) {
        console.log(line);
        line = ' ';
      }
      line += item;
    }
    console.log(line);
  }
  console.log(
    findings.size === 0 ? 'nothing found' : `${String(findings.size)} different findings in packages/fuzz/findings`,
  );
  for (const [signature, count] of findings.entries()) console.log(`  ${String(count)} x ${signature}`);
}
