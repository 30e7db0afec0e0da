// libFuzzer on the page decoder, from a corpus of pages of every encoding in every form of a job; where there is no
// clang, the same target under a mutation loop of our own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { PAGE_HEADER_BYTES, parseCna, withBody } from '../formats/columna-file.ts';
import { randomPage } from '../formats/columna-page.ts';
import { COLUMNA } from '../formats/columna.ts';
import { join as joinBytes, viewOf } from './bytes.ts';
import { signatureOf } from './job.ts';
import type { Report } from './job.ts';
import { randomOf } from './random.ts';
import { SANITIZER_OPTIONS } from './sanitizers.ts';

const MOST_PAGE_BYTES = 4096;
const RANDOM_PAGES = 400;
const CODEC_AT = 24;
/** Of what may be asked of a page. */
const FORMS = 6;

export interface PagesRun {
  /** The libFuzzer program, or null; then the loop is run. */
  readonly libFuzzer: string | null;
  readonly loop: string | null;
  readonly seed: number;
  readonly seconds: number;
  readonly folder: string;
  onReport(report: Report): void;
}

/** How many inputs were run, or null where there is nothing to run them with. */
export function fuzzPages({ libFuzzer, loop, seed, seconds, folder, onReport }: PagesRun): number | null {
  const program = libFuzzer ?? loop;
  if (program === null) return null;
  const corpus = join(folder, 'corpus');
  writeCorpus(corpus, folder);
  const artifacts = join(folder, 'artifact-');
  const current = join(folder, 'current');
  const parameters =
    libFuzzer !== null
      ? [
          `-seed=${String(seed || 1)}`,
          `-max_total_time=${String(Math.ceil(seconds))}`,
          '-max_len=16384',
          '-timeout=60',
          '-rss_limit_mb=2048',
          '-print_final_stats=1',
          `-artifact_prefix=${artifacts}`,
          corpus,
        ]
      : [corpus, String(seconds), String(seed), current];
  const { status, stderr, stdout } = spawnSync(program, parameters, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...SANITIZER_OPTIONS },
  });
  const output = stdout + stderr;
  const runs = Number(
    /stat::number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? /#(\d+)(?!.*#\d)/s.exec(output)?.[1] ?? 0,
  );
  if (status === 0) return runs;
  const left = readdirSync(folder).find((name) => name.startsWith('artifact-'));
  if (left !== undefined) writeFileSync(current, readFileSync(join(folder, left)));
  const reason =
    output.split('\n').find((line) => /runtime error|ERROR: |does not hold/.test(line)) ?? `status ${String(status)}`;
  onReport({
    number: runs,
    outcomes: { crash: 1 },
    findings: [
      { kind: 'crash', where: 'page', text: output.slice(-20_000), signature: signatureOf('crash', 'page', reason) },
    ],
  });
  return runs;
}

/** One input again; its output, or null where it ended well. */
export function runPage(program: string, file: string): string | null {
  const { status, stdout, stderr } = spawnSync(program, [file], {
    encoding: 'utf8',
    env: { ...process.env, ...SANITIZER_OPTIONS },
  });
  return status === 0 ? null : stdout + stderr;
}

function writeCorpus(corpus: string, folder: string): void {
  mkdirSync(corpus, { recursive: true });
  const random = randomOf(7, 'corpus', 0);
  const seeds = join(folder, 'seeds');
  if (!existsSync(seeds)) mkdirSync(seeds);
  const pages = COLUMNA.makeSeeds(seeds).flatMap(({ bytes }) =>
    parseCna(bytes).chunks.flatMap(({ hasDictionary, pages: all }) => all.slice(hasDictionary ? 1 : 0)),
  );
  const whole = pages.filter((page) => page.length >= PAGE_HEADER_BYTES);
  const compressed = whole.filter((page) => page[CODEC_AT] === 1);
  const plain = [...whole.map(inflated), ...compressed].filter(({ length }) => length <= MOST_PAGE_BYTES);
  for (let number = 0; number < RANDOM_PAGES; number += 1)
    plain.push(randomPage(randomOf(7, 'corpus page', number), number % 8 === 0 ? 2000 : 120, number % 4 === 1));
  for (const [number, page] of plain.entries()) {
    const control = Uint8Array.from({ length: 16 }, () => random.integer(256));
    // Checksums made right, one page, the column's codes where it has them, room for nulls, the codec it has, rows that
    // are listed in every other one, and codes that are looked up in every third.
    control[0] = number % FORMS;
    control[5] =
      (page[22] === 10 ? 4 : 0) |
      (viewOf(page).getUint32(16, true) < viewOf(page).getUint32(12, true) ? 8 : 0) |
      (page[CODEC_AT] === 1 ? 32 : 0) |
      (number % 2 === 0 ? 64 : 0) |
      (number % 3 === 0 ? 128 : 0);
    control[7] = 3 * random.integer(80);
    writeFileSync(join(corpus, `page-${String(number).padStart(5, '0')}`), joinBytes([control, page]));
  }
}

/** The page without compression, so that mutants reach its encodings. */
function inflated(page: Uint8Array): Uint8Array {
  if (page[CODEC_AT] !== 1) return page;
  const stored = page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + viewOf(page).getUint32(4, true));
  const body = new Uint8Array(inflateRawSync(stored));
  const header = page.slice(0, PAGE_HEADER_BYTES);
  header[CODEC_AT] = 0;
  return withBody(header, body, body.length);
}
