// The words that pages use, explained: as a list in the page, and where a word stands as its title.
import { escapeHtml } from './markup.ts';

const WORDS = {
  'row group': 'rows that are written together, column by column; a scan reads or skips it as a whole',
  page: 'consecutive rows of one column in a row group: what is encoded, checked and skipped as one',
  chunk: 'the pages of one column in one row group',
  footer: 'the end of the file: columns, where each page is, and the statistics by which scans skip',
  PLAIN: 'values as they are, one after the other',
  DICTIONARY: 'distinct values once, and for every row which of them it has',
  CODES: 'the rows of a dictionary: for each which entry it has, packed in as few bits as the entries need',
  'JOINT DICTIONARY': 'one dictionary of the pairs that two or more columns have together; the columns share its codes',
  RLE: 'runs of equal values: the value and how often it comes',
  BITPACK: 'whole numbers in as few bits as the largest difference from the smallest needs',
  DELTA: 'differences from row to row instead of the values',
  AFFINE: 'numbers that a line predicts: start, step, and how far each is from it',
  DECIMAL: 'floating-point numbers with few decimals, as whole numbers and a power of ten',
  PATCHED: 'few bits for most values, and the exceptions beside them',
  ENTROPY: 'values by how frequent they are: the more frequent, the fewer bits',
  BITS: 'one bit a row',
  BLOCKS: 'texts in blocks that are compressed one by one, so that a few rows need a few blocks',
  ONPAIR: 'texts in codes, each of which stands for up to 32 bytes that occur often',
  MATCHES: 'texts as copies of what stands before them in the page, at any distance, and the bytes between',
  FRONT: 'texts without the bytes that each begins with as the one before it does',
  DEFLATE: 'compression of bytes, as in gzip; tried on pages where it pays for its time',
  pushdown: 'deciding by statistics which row groups and pages a question needs, before they are read',
  sample: 'some rows from all over the table, which this page carries with it',
  record: 'rows of a .cstore file that were written together: every column of them, one after the other',
  flat: 'a .cstore file whose columns are each in one piece',
  'statistics footer': 'smallest and largest value of every column in every record, by which filters pass over records',
  item: 'what a .syr file is made of: an array for each key',
  key: 'the name of one of the arrays that every item has',
} as const;

export type Word = keyof typeof WORDS;

/** A list of definitions, behind a fold. Words that are not known are left out. */
export function glossary(words: readonly string[]): string {
  const known = [...new Set(words)].filter((word): word is Word => Object.hasOwn(WORDS, word));
  const entries = known.map((word) => `<dt>${escapeHtml(word)}</dt><dd>${escapeHtml(WORDS[word])}</dd>`);
  return `<details class="words"><summary>What the words mean</summary><dl>${entries.join('\n')}</dl></details>`;
}

/** For a title: what the words of an encoding's name mean; empty where none is known. */
export function explained(text: string): string {
  const upper = text.toUpperCase();
  const found = (Object.keys(WORDS) as Word[]).filter((word) => upper.includes(word) && word === word.toUpperCase());
  return found.map((word) => `${word}: ${WORDS[word]}`).join('; ');
}
