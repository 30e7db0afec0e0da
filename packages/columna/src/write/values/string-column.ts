// Strings of the language -> what a row group holds of a column of texts: few distinct ones are told apart as strings,
// many as the UTF-8 that they become anyway. The column is the same either way.
import { ArgumentError } from '@colkit/io';
import { ValidityBuilder } from '@colkit/table';
import type { Utf8Chunk } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { isWellFormed } from '../../layout/schema.ts';
import { isSet, textColumn } from './column-values.ts';
import type { StringColumn } from './column-values.ts';
import { utf8Column } from './utf8-column.ts';

/** Values that are looked at, all over the column. */
const SAMPLE = 256;
/** Where more of them than this differ, so may most of the column. */
const MOST_ALIKE = 0.8 * SAMPLE;

/**
 * A column of texts. Nulls are what `validity` says (one bit a row, 1 = not null), whatever stands there.
 * @throws ArgumentError ERR_VALUE for text that is not well-formed Unicode, which UTF-8 could not give back.
 */
export function stringColumn(type: ColumnType, values: readonly string[], validity: Uint8Array | null): StringColumn {
  return areDiverse(values) ? utf8Column(type, [encodeTexts(values, validity)]) : textColumn(type, values, validity);
}

function areDiverse(values: readonly string[]): boolean {
  if (values.length < 8 * SAMPLE) return false;
  const seen = new Set<string>();
  for (let i = 0; i < SAMPLE; i++) seen.add(values[Math.floor((i * values.length) / SAMPLE)] as string);
  return seen.size > MOST_ALIKE;
}

/** Texts that become bytes in one call: so many, or of so many units. */
const TOGETHER = 256;
const UNITS_TOGETHER = 1 << 14;

function encodeTexts(values: readonly string[], given: Uint8Array | null): Utf8Chunk {
  const rowCount = values.length;
  const nulls = new ValidityBuilder(rowCount);
  nulls.copy(given, 0, rowCount, 0);
  const encoder = new TextEncoder();
  const ends = new Uint32Array(rowCount);
  let bytes = new Uint8Array(16 * rowCount);
  let used = 0;
  for (let start = 0; start < rowCount; ) {
    const texts: string[] = [];
    for (let units = 0; texts.length < TOGETHER && units < UNITS_TOGETHER && start + texts.length < rowCount; ) {
      const row = start + texts.length;
      const text = given === null || isSet(given, row) ? (values[row] as string) : '';
      units += text.length;
      texts.push(text);
    }
    const joined = texts.join('');
    // Three bytes are the most that a unit of UTF-16 becomes.
    if (used + 3 * joined.length > bytes.length) bytes = grown(bytes, used, used + 3 * joined.length);
    const { written } = encoder.encodeInto(joined, bytes.subarray(used));
    if (used + written > 0xffffffff)
      throw new ArgumentError('ERR_VALUE', 'values', 'less than 4 GiB of strings in a row group', 'more');
    // As many bytes as units: all of it is ASCII, and each text as many bytes as it is long.
    if (written === joined.length)
      for (let i = 0; i < texts.length; i++) ends[start + i] = used += (texts[i] as string).length;
    else
      for (let i = 0; i < texts.length; i++) {
        const text = texts[i] as string;
        if (!isWellFormed(text))
          throw new ArgumentError('ERR_VALUE', 'values', 'text of well-formed Unicode', JSON.stringify(text));
        ends[start + i] = used += encoder.encodeInto(text, bytes.subarray(used)).written;
      }
    start += texts.length;
  }
  return {
    kind: 'utf8',
    rowCount,
    bytes: bytes.subarray(0, used),
    ends,
    codes: null,
    validity: nulls.finish(),
  };
}

function grown(bytes: Uint8Array, used: number, least: number): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(Math.max(least, 2 * bytes.length));
  more.set(bytes.subarray(0, used));
  return more;
}
