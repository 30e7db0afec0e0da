// The process that does the work, so that what kills it kills no more: mutants one after another, each on disk before
// it is looked at, and a line about each.
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { callAddon } from '../arguments/call-addon.ts';
import { FORMATS } from '../formats/all.ts';
import type { Format, Seed } from '../formats/format.ts';
import { checkMutant } from './check-mutant.ts';
import { CURRENT, signatureOf } from './job.ts';
import type { Finding, Job, Report } from './job.ts';
import { randomOf } from './random.ts';

const STDOUT = 1;
const OWN_FAULT = 70;
const job = JSON.parse(process.argv[2] ?? '{}') as Job;
/** What nobody waited for: it belongs to the mutant that runs, or to the one before. */
const stray: Finding[] = [];

for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stray.push({ kind: 'foreign', where: event, text, signature: signatureOf('foreign', event, text) });
  });
}

mkdirSync(job.folder, { recursive: true });
try {
  await (job.part === 'arguments' ? runCalls() : runFormat());
} catch (error) {
  // A fault of the fuzzer itself.
  console.error(error);
  process.exit(OWN_FAULT);
}

async function runFormat(): Promise<void> {
  const format = FORMATS.find(({ name }) => name === job.part);
  if (format === undefined) throw new Error(`no format ${job.part}`);
  if (job.file !== undefined) {
    say({ number: 0, ...(await checkMutant(format, job.file, new Uint8Array(readFileSync(job.file)), job.native)) });
    return;
  }
  const seeds = format.makeSeeds(job.folder);
  const path = join(job.folder, CURRENT);
  await eachNumber(async (number) => {
    const bytes = mutantOf(format, seeds, number);
    writeFileSync(path, bytes);
    return checkMutant(format, path, bytes, job.native);
  });
}

function mutantOf(format: Format, seeds: readonly Seed[], number: number): Uint8Array {
  const random = randomOf(job.seed, format.name, number);
  // The first ones are the good files themselves: they must be read alike too.
  return seeds[number]?.bytes ?? format.mutate(random, random.pick(seeds), seeds);
}

async function runCalls(): Promise<void> {
  const path = join(job.folder, CURRENT);
  await eachNumber((number) =>
    callAddon(randomOf(job.seed, 'arguments', number), job.folder, (text) => writeFileSync(path, text)),
  );
}

async function eachNumber(check: (number: number) => Promise<Omit<Report, 'number'>>): Promise<void> {
  for (let number = job.first; number < job.first + job.count && Date.now() < job.deadline; number += 1) {
    const { outcomes, findings } = await check(number);
    // A turn for what was left running.
    await new Promise((resolve) => setImmediate(resolve));
    say({ number, outcomes, findings: [...findings, ...stray.splice(0)] });
  }
}

/** At once, whatever happens next. */
function say(report: Report): void {
  const line = Buffer.from(`${JSON.stringify(report)}\n`);
  for (let at = 0; at < line.length; ) {
    try {
      at += writeSync(STDOUT, line, at);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
    }
  }
}
