// The values of a column -> their texts as bytes, in the way of a format.
import { assertNever, dtypeFacts, isBool, isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { NO_TEXT, bigintOfWords } from '../aggregate/column-values.ts';
import type { ColumnValues } from '../aggregate/column-values.ts';
import { isValid } from '../validity.ts';
import { rounderOf } from '../values/floats/short-floats.ts';
import type { ByteTexts } from '../values/known-texts.ts';
import { momentWriter } from './moment-bytes.ts';
import type { TextBytes } from './text-bytes.ts';

export type WriteRow = (row: number) => void;

/** What formats write differently. */
export interface ValueStyle {
  readonly nullWord: Uint8Array;
  /** What stands for NaT. */
  readonly natWord: Uint8Array;
  /** Whether floats of 2 and 4 bytes have the digits of their precision, not those of the double that they are. */
  readonly shortFloats: boolean;
  /** NaN and infinities. */
  nonFinite(number: number): string;
  /** An integer beyond ±2^53, given its digits. */
  wide(digits: string): string;
  /** A writer of values that are no text and not null, as they are quoted. */
  quoting(info: DTypeInfo, out: TextBytes, write: WriteRow): WriteRow;
  /** What stands in front of a moment and behind it. */
  aroundMoment(info: DTypeInfo): readonly [string, string];
  /** A text, as UTF-8 or as what it is. */
  utf8(out: TextBytes, bytes: Uint8Array, from: number, end: number): void;
  text(out: TextBytes, text: string): void;
  bytes(out: TextBytes, bytes: Uint8Array): void;
}

const DOUBLE_BYTES = 8;
const TWO_32 = 2 ** 32;
const NAT_WORD = 0x8000_0000;

/** What writes the value of a row of some values. */
export function valueWriter(info: DTypeInfo, values: ColumnValues, out: TextBytes, style: ValueStyle): WriteRow {
  const { nullWord, natWord } = style;
  const present = style.quoting(info, out, presentWriter(info, values, out, style));
  const write = values.kind === 'words' && isTime(info) ? unlessNaT(values.words, present, natWord, out) : present;
  const isNull = nullsOf(values);
  if (isNull === null) return write;
  return (row) => {
    if (isNull(row)) out.copy(nullWord, 0, nullWord.length);
    else write(row);
  };
}

function unlessNaT(words: Uint32Array, write: WriteRow, natWord: Uint8Array, out: TextBytes): WriteRow {
  return (row) => {
    if (words[2 * row + 1] === NAT_WORD && words[2 * row] === 0) out.copy(natWord, 0, natWord.length);
    else write(row);
  };
}

/** Null: no row is. */
function nullsOf(values: ColumnValues): ((row: number) => boolean) | null {
  const { kind, validity } = values;
  if (kind === 'utf8') {
    const { codes } = values;
    return codes === null ? null : (row) => codes[row] === NO_TEXT;
  }
  if (kind !== 'codes') return validity === null ? null : (row) => !isValid(validity, row);
  const { codes } = values;
  const count = values.utf8?.ends.length ?? values.texts.length;
  return (row) => !isValid(validity, row) || (codes[row] as number) < 0 || (codes[row] as number) >= count;
}

function presentWriter(info: DTypeInfo, values: ColumnValues, out: TextBytes, style: ValueStyle): WriteRow {
  switch (values.kind) {
    case 'numbers':
      return numberWriter(info, values.numbers, out, style);
    case 'words':
      return (isMoment(info) ? momentsWriter : wordWriter)(info, values.words, out, style);
    case 'utf8': {
      const { texts, codes } = values;
      if (codes === null) return (row) => writeUtf8(texts, row, out, style);
      return (row) => writeUtf8(texts, codes[row] as number, out, style);
    }
    case 'codes': {
      const { codes, utf8 } = values;
      if (utf8 !== undefined) return (row) => writeUtf8(utf8, codes[row] as number, out, style);
      const { texts } = values;
      return (row) => style.text(out, texts[codes[row] as number] as string);
    }
    case 'bytes':
      return (row) => style.bytes(out, values.values[row] as Uint8Array);
    default:
      return assertNever(values);
  }
}

function writeUtf8({ bytes, start, ends }: ByteTexts, index: number, out: TextBytes, style: ValueStyle): void {
  style.utf8(out, bytes, index === 0 ? start : (ends[index - 1] as number), ends[index] as number);
}

function numberWriter(info: DTypeInfo, numbers: Float64Array, out: TextBytes, style: ValueStyle): WriteRow {
  if (isBool(info)) return (row) => out.text(numbers[row] === 0 ? 'false' : 'true');
  if (dtypeFacts(info).value === 'int') return (row) => out.integer(numbers[row] as number);
  const { itemBytes } = info;
  const round = style.shortFloats && itemBytes < DOUBLE_BYTES ? rounderOf(info) : null;
  return (row) => {
    const number = numbers[row] as number;
    if (number - number !== 0) out.text(style.nonFinite(number));
    else if (round === null) out.double(number);
    else out.float(number, itemBytes, round);
  };
}

function wordWriter(info: DTypeInfo, words: Uint32Array, out: TextBytes, style: ValueStyle): WriteRow {
  const { isUnsigned } = dtypeFacts(info);
  return (row) => {
    const [low, word] = [words[2 * row] as number, words[2 * row + 1] as number];
    const number = (isUnsigned ? word : word | 0) * TWO_32 + low;
    if (Number.isSafeInteger(number)) out.integer(number);
    else out.text(style.wide(String(bigintOfWords(low, word, isUnsigned))));
  };
}

function momentsWriter(info: DTypeInfo, words: Uint32Array, out: TextBytes, style: ValueStyle): WriteRow {
  const write = momentWriter(info, out);
  const [before, behind] = style.aroundMoment(info);
  return (row) => {
    out.text(before);
    write(words[2 * row] as number, (words[2 * row + 1] as number) | 0);
    out.text(behind);
  };
}
