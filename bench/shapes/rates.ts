// How long each encoding takes to decode, with and without DEFLATE: files of one encoding each, summed by the addon.
// What comes out is the table that the writer counts decoding time with.
import { join } from 'node:path';
import { mkdirSync, rmSync } from 'node:fs';
import { openSync, writeSync } from 'columna';
import type { ForcedEncoding, Table } from 'columna';
import { randomOf } from './distributions.ts';
import { timeOf } from './run-shapes.ts';
import { table } from '../src/report/report.ts';

type Random = () => number;

interface Sample {
  readonly name: string;
  /** How the names of the encoded pages must begin, so that nothing else is measured. */
  readonly label: string;
  readonly encoding: ForcedEncoding;
  /** Whether bytes are to be deflated. */
  readonly deflated?: boolean;
  readonly dtype?: 'float64' | 'int64' | 'bool';
  readonly values: (random: Random, row: number) => number;
  /** Of texts, how many words each of them has; absent: the values are numbers. */
  readonly words?: number;
  /** Of texts, after how many bytes all of them come again, from another byte on; absent: they do not. */
  readonly period?: number;
  /** Of texts, how many bytes each shares with the one before; absent: they are words. */
  readonly shared?: number;
}

const below = (random: Random, most: number): number => Math.floor(random() * most);

/** Another number for each one, which looks random. */
function mixed(number: number): number {
  let value = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** The value of a run: never that of the one before. */
const run = (number: number): number => ((mixed(number) & 0x3fff) << 1) | (number & 1);

/** One page a row group, so that dictionaries lie in their pages. */
const PAGE_ROWS = 65_536;
/** What DEFLATE makes of four bytes of literals, about. */
const LITERAL_BYTES = 2.31;
/** Runs of this many values, and outliers one in so many. */
const SHORT_RUN = 4;
const LONG_RUN = 64;
const OUTLIER_EVERY = 50;

const SAMPLES: readonly Sample[] = [
  { name: 'plain', label: 'PLAIN', encoding: 'PLAIN', values: (random) => below(random, 2 ** 31) },
  { name: 'affine', label: 'AFFINE', encoding: 'AFFINE', values: (_, row) => row * 3 },
  { name: 'packed', label: 'BITPACK', encoding: 'BITPACK', values: (random) => below(random, 2 ** 17) },
  {
    name: 'wide',
    label: 'BITPACK',
    encoding: 'BITPACK',
    dtype: 'int64',
    values: (random) => below(random, 2 ** 21) * 2 ** 32 + below(random, 2 ** 32),
  },
  // A digit and nothing else: two thirds of a bit less, which pay for it.
  { name: 'digits', label: 'BITPACK', encoding: 'BITPACK', values: (random) => below(random, 5) },
  {
    name: 'shortRuns',
    label: 'RLE(BITPACK, AFFINE)',
    encoding: 'RLE',
    values: (_, row) => run(Math.floor(row / SHORT_RUN)),
  },
  {
    name: 'longRuns',
    label: 'RLE(BITPACK, AFFINE)',
    encoding: 'RLE',
    values: (_, row) => run(Math.floor(row / LONG_RUN)),
  },
  {
    name: 'delta',
    label: 'DELTA(BITPACK)',
    encoding: 'DELTA',
    values: (() => {
      let sum = 0;
      return (random: Random) => (sum = (sum + below(random, 2 ** 9)) % 2 ** 31);
    })(),
  },
  {
    name: 'dictionary',
    label: 'DICTIONARY(',
    encoding: 'DICTIONARY',
    values: (random) => mixed(below(random, 1000)) >>> 2,
  },
  {
    name: 'patched',
    label: 'PATCHED(BITPACK)',
    encoding: 'PATCHED',
    values: (random) => (below(random, OUTLIER_EVERY) === 0 ? below(random, 2 ** 30) : below(random, 2 ** 12)),
  },
  {
    name: 'entropy',
    label: 'ENTROPY',
    encoding: 'ENTROPY',
    values: (random) => Math.floor(-Math.log(1 - random()) * 300),
  },
  {
    name: 'decimal',
    label: 'DECIMAL(BITPACK)',
    encoding: 'DECIMAL',
    dtype: 'float64',
    values: (random) => below(random, 2 ** 17) / 100,
  },
  { name: 'bits', label: 'BITS(', encoding: 'BITS', dtype: 'bool', values: (random) => below(random, 2) },
  // Literals only: four bytes a value, of which DEFLATE finds that they are small.
  { name: 'literals', label: 'PLAIN', encoding: 'PLAIN', deflated: true, values: (random) => literalOf(random) },
  // The same over and over: matches of the greatest length.
  {
    name: 'matches',
    label: 'PLAIN',
    encoding: 'PLAIN',
    deflated: true,
    values: (_, row) => mixed(row % 4999) >>> 1,
  },
];

const WORD_BYTES = 16;
const wordsOf = (count: number, letters: number): readonly string[] =>
  Array.from({ length: count }, (_, word) =>
    Array.from({ length: letters }, (__, letter) =>
      String.fromCharCode(97 + (mixed(1024 + letters * word + letter) % 26)),
    ).join(''),
  );
/** So many that two of them seldom come again behind each other: each is a match of its own. */
const WORDS = wordsOf(4096, WORD_BYTES);
const FEW_WORDS = 4;
const MANY_WORDS = 8;
/**
 * Short words, each of which becomes a symbol, as many as a page of real texts has, and a long one, so that there is
 * room for such: about as many bytes as a word of the others.
 */
const SYLLABLE_BYTES = 4;
const SYLLABLES = [...wordsOf(2047, SYLLABLE_BYTES), ...wordsOf(1, 32)];
const SYLLABLES_PER_WORD = WORD_BYTES / SYLLABLE_BYTES;
/** Texts are so many fewer than numbers, and their pages short enough for all that the addon holds of one. */
const ROWS_PER_TEXT = 4;
const TEXT_PAGE_ROWS = 16_384;
/** Bytes that texts share with the one before; behind them each has two short words of its own. */
const SHARED_BYTES = 16;
const SHARING = 16;

const textSample = (
  name: string,
  encoding: 'PLAIN' | 'ONPAIR' | 'MATCHES',
  words: number,
  period?: number,
): Sample => ({
  name,
  label: encoding,
  encoding,
  words,
  ...(period === undefined ? {} : { period }),
  values: (random) => below(random, encoding === 'ONPAIR' ? SYLLABLES.length : WORDS.length),
});
/** Texts that are cut out of so many bytes are long matches, and few of them are the same. */
const PERIOD = 1 << 15;
const TURN = 12_345;

const sharingSample = (name: string, encoding: 'PLAIN' | 'ONPAIR' | 'FRONT', shared: number): Sample => ({
  name,
  label: encoding === 'FRONT' ? 'FRONT(ONPAIR)' : encoding,
  encoding,
  words: 2,
  shared,
  values: (random) => below(random, SYLLABLES.length),
});

/** Of sixteen texts, as many as there are from one that shares nothing to the next, all begin alike. */
function sharingText(shared: number, row: number, own: string): string {
  const group = 32 * (row >>> 4);
  const letters = Array.from({ length: shared }, (_, letter) => String.fromCharCode(97 + (mixed(group + letter) % 26)));
  return letters.join('') + own;
}

const TEXT_SAMPLES: readonly Sample[] = [
  textSample('shortTexts', 'PLAIN', FEW_WORDS),
  textSample('longTexts', 'PLAIN', MANY_WORDS),
  textSample('shortSpelled', 'ONPAIR', FEW_WORDS * SYLLABLES_PER_WORD),
  textSample('longSpelled', 'ONPAIR', MANY_WORDS * SYLLABLES_PER_WORD),
  textSample('matched', 'MATCHES', MANY_WORDS),
  textSample('longMatched', 'MATCHES', MANY_WORDS, PERIOD),
  sharingSample('shared', 'FRONT', SHARED_BYTES),
  sharingSample('together', 'PLAIN', SHARED_BYTES),
  sharingSample('ownSpelled', 'ONPAIR', 0),
  sharingSample('ownTogether', 'PLAIN', 0),
];

/** Nanoseconds a text: of looking through all bytes, none of which is found. */
function measureTexts(sample: Sample, words: number, path: string, { rows, rounds, clock }: RatesOptions): number {
  const random = randomOf(11);
  const count = Math.ceil(rows / ROWS_PER_TEXT);
  const { encoding, period, shared } = sample;
  const vocabulary = encoding === 'ONPAIR' || shared !== undefined ? SYLLABLES : WORDS;
  const textOf = (wordCount: number, row: number): string =>
    Array.from({ length: wordCount }, () => vocabulary[sample.values(random, row)] ?? '').join('');
  const turning = textOf((period ?? 0) / WORD_BYTES, 0).repeat(2);
  const from = (byte: number): string => turning.slice(byte, byte + words * WORD_BYTES);
  const value = Array.from({ length: count }, (_, row) => {
    if (shared !== undefined) return sharingText(shared, row, textOf(words, row));
    return period === undefined ? textOf(words, row) : from((row * TURN) % period);
  });
  const options = { overwrite: true, rowGroupSize: TEXT_PAGE_ROWS, durability: 'none' } as const;
  const { columns } = writeSync(
    path,
    { value },
    encoding === 'PLAIN' ? { ...options, mode: 'plain' } : { ...options, encodings: { value: encoding } },
  );
  const ways = [...(columns[0]?.encodings.keys() ?? [])];
  if (!ways.every((way) => way === sample.label)) throw new Error(`rates: ${sample.name} is ${ways.join(', ')}`);
  const opened = openSync(path) as Table;
  try {
    const view = opened.where("value like '%0%'");
    const run = () => view.countSync();
    if (run() !== 0) throw new Error(`rates: ${sample.name} has a digit`);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) best = Math.min(best, timeOf(run, clock));
    return (1e6 * best) / count;
  } finally {
    opened.close();
    rmSync(path, { force: true });
  }
}

function literalOf(random: Random): number {
  let value = 0;
  for (let byte = 0; byte < 4; byte += 1) value = (value << 8) | (below(random, 8) * below(random, 8));
  return value & 0x7fffffff;
}

export interface RatesOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly clock: 'wall' | 'cpu';
  readonly folder: string;
  readonly onProgress: (text: string) => void;
}

/** Nanoseconds a value. */
function measure(sample: Sample, path: string, { rows, rounds, clock }: RatesOptions): number {
  const random = randomOf(11);
  const numbers = Float64Array.from({ length: rows }, (_, row) => sample.values(random, row));
  const column =
    sample.dtype === 'float64'
      ? numbers
      : sample.dtype === 'int64'
        ? BigInt64Array.from(numbers, (value) => BigInt(value))
        : sample.dtype === 'bool'
          ? Array.from(numbers, (value) => value === 1)
          : Int32Array.from(numbers);
  const mode = sample.deflated === true ? 'smallest' : 'default';
  const encodings = { value: sample.encoding };
  const { columns } = writeSync(
    path,
    { value: column },
    { overwrite: true, mode, encodings, rowGroupSize: PAGE_ROWS, durability: 'none' },
  );
  const [written] = columns;
  const ways = [...(written?.encodings.keys() ?? [])];
  const deflated = sample.deflated === true;
  if (!ways.every((way) => way.startsWith(sample.label) && way.endsWith(' + DEFLATE') === deflated))
    throw new Error(`rates: ${sample.name} was to be ${sample.label}, and is ${ways.join(', ')}`);
  const opened = openSync(path) as Table;
  try {
    // Into memory that is there: fresh memory takes longer than most encodings.
    const out = { value: outputOf(sample, rows) };
    const run = () => opened.toColumnsSync({ out } as never);
    run();
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) best = Math.min(best, timeOf(run, clock));
    return (1e6 * best) / rows;
  } finally {
    opened.close();
    rmSync(path, { force: true });
  }
}

function outputOf({ dtype }: Sample, rows: number): Uint8Array | Int32Array | Float64Array | BigInt64Array {
  if (dtype === 'bool') return new Uint8Array(rows);
  if (dtype === 'float64') return new Float64Array(rows);
  return dtype === 'int64' ? new BigInt64Array(rows) : new Int32Array(rows);
}

/** Of a sample by its name. */
type Times = (name: string) => number;
type Rate = (time: Times) => number;
/** Writing an item of four bytes, which everything does. */
const written: Rate = (time) => Math.min(time('affine'), time('longRuns'));
const packed: Rate = (time) => time('packed') - written(time);
const inflated: Rate = (time) => (time('matches') - time('plain')) / 4;
/** A word of texts, of those of many words and of few. */
const wordOf = (time: Times, many: string, few: string): number => (time(many) - time(few)) / (MANY_WORDS - FEW_WORDS);
/** A code of a symbol beyond its number, with the look at its bytes. */
const spelled: Rate = (time) => wordOf(time, 'longSpelled', 'shortSpelled') / SYLLABLES_PER_WORD - packed(time);
/** What texts take beyond their words. */
const textOf = (time: Times, many: string, few: string): number => time(few) - FEW_WORDS * wordOf(time, many, few);
/** A match, of which texts of many words have as many, and those that were cut out of a long one about one. */
const match: Rate = (time) => (time('matched') - time('longMatched')) / (MANY_WORDS - 1) - 3 * packed(time);
const matched: Rate = (time) =>
  (time('longMatched') - time('longTexts') - match(time) - 3 * packed(time)) / (MANY_WORDS * WORD_BYTES);
/** Beyond its own bytes, of which one text of sixteen has what the others share. */
const joinedString: Rate = (time) =>
  time('shared') -
  time('together') -
  (time('ownSpelled') - time('ownTogether')) -
  packed(time) -
  (SHARED_BYTES * spelled(time)) / SHARING;
const runTime: Rate = (time) => (time('shortRuns') - time('longRuns')) / (1 / SHORT_RUN - 1 / LONG_RUN);

/** What a rate is of, and what becomes of the times that were measured: nanoseconds of items written are taken off. */
const RATES: readonly (readonly [name: string, of: string, from: Rate])[] = [
  ['plain', 'a value', (time) => time('plain') - written(time)],
  ['affine', 'a value', (time) => time('affine') - written(time)],
  ['packed', 'a value', packed],
  ['packedWide', 'a value', (time) => time('wide') - 2 * written(time)],
  ['digits', 'a value, for each digit beyond packed bits', (time) => time('digits') - time('packed')],
  ['repeated', 'a value, beyond its run', (time) => time('longRuns') - written(time) - runTime(time) / LONG_RUN],
  ['run', 'a run, beyond its value and length', (time) => runTime(time) - packed(time)],
  ['summed', 'a value, beyond its gap', (time) => time('delta') - time('packed')],
  ['lookedUp', 'a value, beyond its code', (time) => time('dictionary') - time('packed')],
  ['patched', 'a value, beyond the one that may be replaced', (time) => time('patched') - time('packed')],
  ['entropy', 'a value', (time) => time('entropy') - written(time)],
  ['decimal', 'a value, beyond its integer', (time) => time('decimal') - 2 * written(time) - packed(time)],
  ['bits', 'a value, beyond its byte', (time) => time('bits') - written(time) / 4],
  [
    'spelledString',
    'a string of symbols, beyond its codes',
    (time) => textOf(time, 'longSpelled', 'shortSpelled') - textOf(time, 'longTexts', 'shortTexts'),
  ],
  ['spelledCode', 'a code of a symbol, beyond its number', spelled],
  ['match', 'a match, beyond its run, length and code', match],
  ['matched', 'a byte of literals and matches', matched],
  [
    'joinedString',
    'a string that shares bytes with the one before, beyond the number of these and its own bytes',
    joinedString,
  ],
  ['inflated', 'a byte that DEFLATE gives', inflated],
  [
    'deflated',
    'a byte that DEFLATE took it to',
    (time) => (time('literals') - time('plain') - 4 * inflated(time)) / LITERAL_BYTES,
  ],
];

export type Rates = ReadonlyMap<string, { readonly of: string; readonly nanoseconds: number }>;

/** Nanoseconds of decoding, by what they are of. */
export function runRates(options: RatesOptions): Rates {
  mkdirSync(options.folder, { recursive: true });
  const path = join(options.folder, 'rates.cna');
  const times = new Map<string, number>();
  for (const sample of SAMPLES) {
    options.onProgress(`rates: ${sample.name}`);
    times.set(sample.name, measure(sample, path, options));
  }
  for (const sample of TEXT_SAMPLES) {
    options.onProgress(`rates: ${sample.name}`);
    times.set(sample.name, measureTexts(sample, sample.words ?? 1, path, options));
  }
  const time: Times = (name) => times.get(name) ?? Number.NaN;
  return new Map(
    RATES.map(([name, of, from]) => [name, { of, nanoseconds: Math.max(0, Math.round(100 * from(time)) / 100) }]),
  );
}

export function ratesReport(rates: Rates): string {
  return table(
    ['rate', 'nanoseconds', 'of'],
    [...rates].map(([name, { of, nanoseconds }]) => [name, nanoseconds.toFixed(2), of]),
  );
}

const ABOUT = `// Written by \`pnpm bench rates --clock cpu --save\`: how long the addon takes to decode, on one core of
// one machine. What the writer chooses depends on it, so that a new table changes the bytes of files.
`;

/** The module that the writer reads. */
export function ratesModule(rates: Rates): string {
  const lines = [...rates].map(([name, { of, nanoseconds }]) => `  /** Of ${of}. */\n  ${name}: ${nanoseconds},`);
  return `${ABOUT}
/** Nanoseconds. */
export const DECODING_RATES = {
${lines.join('\n')}
} as const;
`;
}
