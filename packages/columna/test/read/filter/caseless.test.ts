// Patterns without regard to case and with `_`, beside a regular expression over texts of which each character was
// folded alone: the addon and TypeScript find the same rows, whatever the encoding of the page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import { backendsToAsk } from '../../support/backends.ts';

const BACKENDS = backendsToAsk();
const folder = mkdtempSync(join(tmpdir(), 'columna-caseless-'));
afterEach(() => {
  setDefaultBackend('js');
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Letters that become longer, shorter or ASCII, that have three cases or a form of their own at a word's end. */
const PIECES = [
  ...['', 'a', 'K', 'k', '\u212a', 'I', 'i', 'ı', 'İ', 'i\u0307', 'ß', 'ẞ', 'SS', 'Σ', 'ς', 'σ', 'Ⱥ', 'ⱥ'],
  'Ω',
  ...[
    '\u2126',
    'ω',
    'Å',
    '\u212b',
    'å',
    'ǅ',
    'Ǆ',
    'ǆ',
    'é',
    'É',
    'e\u0301',
    '😀',
    '𐐀',
    '𐐨',
    'ſ',
    'S',
    '@',
    '[',
    '`',
    '{',
  ],
  ...['%', '_', 'user-00', 'USER-00', '\u0000', '\uffff', '\ud7ff', '\ue000', 'Ж', 'ж', '日本'],
];

const PATTERNS = [
  ...['USER-00%', '%SER-0%', '%k', 'K%', '_', '__', '___', '%_', '_%', '%__%', '%_k%', 'k_%', '%i_', '_i', '%I%'],
  'İ%',
  ...[
    '%straße%',
    '%ẞ%',
    'ß_',
    '_ß%',
    '%ΣΑΣ%',
    '%Σ',
    '%ς',
    '_σ_',
    'Ⱥ%',
    '%ⱥ_',
    '%Ω%',
    '%Å',
    'ǅ%',
    '%É_%',
    '%e_%',
    '%😀',
  ],
  ...[
    '𐐀%',
    '_😀',
    '%ſ%',
    '%s%',
    '%@%',
    '%[_',
    '`%',
    '%{%',
    '%a%k%',
    '%k%_%i%',
    'a_k%i',
    '%\u0000_%',
    '日_%',
    '%\uffff%',
  ],
  ...['ж%Ж', '_ser-0_%', '%_ser-_0', 'us%-00', '%', ''],
];

function foldEach(text: string): string {
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter === 'Σ' ? 'σ' : letter.toLowerCase())).join('');
}

function regularExpression(pattern: string): RegExp {
  const parts = Array.from(pattern, (letter) =>
    letter === '%' ? '[^]*' : letter === '_' ? '[^]' : `\\u{${(letter.codePointAt(0) as number).toString(16)}}`,
  );
  return new RegExp(`^${parts.join('')}$`, 'u');
}

function textsOf(seed: number, repeats: number): (string | null)[] {
  const random = createRandom(seed);
  const piece = (): string => PIECES[Math.floor(random.number() * PIECES.length)] as string;
  const distinct = Array.from({ length: 900 / repeats }, (_, row) =>
    row < PIECES.length ? (PIECES[row] as string) : piece() + piece() + piece() + (row % 3 === 0 ? String(row) : ''),
  );
  return Array.from({ length: 900 }, (_, row) =>
    random.number() < 0.1 ? null : (distinct[row % distinct.length] as string),
  );
}

const FORMS: readonly (readonly [string, number, object])[] = [
  ['as they are', 1, { mode: 'plain' }],
  ['in symbols', 1, { encodings: { t: 'ONPAIR' } }],
  ['in blocks', 1, { encodings: { t: 'BLOCKS' } }],
  ['in matches', 1, { encodings: { t: 'MATCHES' } }],
  ['sharing', 1, { encodings: { t: 'FRONT' } }],
  ['repeated, in pages', 3, { mode: 'fast' }],
  ['in a dictionary', 9, { mode: 'default' }],
];

it.each(FORMS)('texts %s match what their folded characters do', async (name, repeats, options) => {
  const path = join(folder, `${name.replaceAll(/\W+/gu, '-')}.cna`);
  const texts = textsOf(repeats, repeats);
  writeSync(path, { t: texts }, { pageRows: 264, rowGroupSize: 800, ...options });
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    const table = openSync(path, { backend });
    for (const pattern of PATTERNS) {
      const [plain, folded] = [regularExpression(pattern), regularExpression(foldEach(pattern))];
      const rowsOf = (matches: (text: string) => boolean): (string | null)[] =>
        texts.filter((text) => text !== null && matches(text));
      const found = async (where: string): Promise<unknown> =>
        ((await table.where(where, { p: pattern }).toColumns()) as { t: unknown }).t;
      expect(await found('t ilike @p'), pattern).toEqual(rowsOf((text) => folded.test(foldEach(text))));
      expect(await found('not (t ilike @p)'), pattern).toEqual(rowsOf((text) => !folded.test(foldEach(text))));
      expect(await found('t like @p'), pattern).toEqual(rowsOf((text) => plain.test(text)));
      expect(await found('t not like @p'), pattern).toEqual(rowsOf((text) => !plain.test(text)));
    }
    table.close();
  }
});

it('every letter is folded as it is alone', async () => {
  // All that another case is known of, and what they become.
  const texts: string[] = [];
  for (let point = 0x20; point < 0x1f000; point++) {
    const letter = String.fromCodePoint(point);
    if ((point < 0xd800 || point > 0xdfff) && foldEach(letter) !== letter)
      texts.push(`${letter}x`, `${foldEach(letter)}x`);
  }
  const path = join(folder, 'letters.cna');
  writeSync(path, { t: texts });
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    const table = openSync(path, { backend });
    for (const asked of 'kißσςåωⱥǆθꭰᲐᎠ𐐨𞤢µſﬀ') {
      const { t } = (await table.where('t ilike @p', { p: `${asked}X` }).toColumns()) as { t: string[] };
      expect(t, asked).toEqual(texts.filter((text) => foldEach(text) === foldEach(`${asked}x`)));
    }
    table.close();
  }
});

it.runIf(BACKENDS.includes('native'))('the addon tests them', () => {
  setDefaultBackend('native');
  const path = join(folder, 'asked.cna');
  writeSync(path, { t: textsOf(7, 1) }, { pageRows: 264, encodings: { t: 'ONPAIR' } });
  const table = openSync(path, { backend: 'native' });
  const selected = vi.spyOn(PageJobs.prototype, 'selectedOf');
  for (const where of ["t ilike '%k_'", "t like '_a%'", "t not ilike 'İß%'"]) table.where(where).countSync();
  expect(selected.mock.results.length).toBeGreaterThan(0);
  expect(selected.mock.results.every(({ value }) => value !== null)).toBe(true);
  table.close();
});
