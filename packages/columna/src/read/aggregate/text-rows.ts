// The wanted rows of one page of texts as UTF-8, for aggregates that need no text of the language for each.
import { numberKernels } from '@colkit/io';
import type { ColumnValues } from '@colkit/table';
import { loadedStrings } from '../../columns/byte-strings.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import type { FileLocation } from '../../layout/location.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from '../pages/opened-page.ts';
import { codesByRow, rowValuesOf, stringsAt, wantedCodes } from '../pages/texts/row-strings.ts';
import { checkTexts, dataOf } from '../pages/texts/check-texts.ts';
import { isWellFormed } from '../pages/texts/texts.ts';

/** Fewer rows are looked at one by one. */
const WORTH_A_CALL = 64;

type Utf8Rows = ColumnValues & { readonly kind: 'utf8' };

interface RowTexts {
  readonly texts: ByteStrings;
  readonly codes: Uint32Array | null;
  /** Whether they are the entries of a dictionary, of which rows need not have all. */
  readonly isShared: boolean;
}

/**
 * Null where the addon is not there, or rows are few; for a dictionary with entries that are ill-formed, which need not
 * be those of the rows; for nulls alone.
 * @throws CorruptFileError ERR_LAYOUT where one of the texts is not well-formed UTF-8.
 */
export function textRows(page: ColumnPage, span: Span): Utf8Rows | null {
  if (spanCount(span) < WORTH_A_CALL || numberKernels() === null) return null;
  const rows = codesOfRows(page, span) ?? valuesOfRows(page, span);
  return rows === null ? null : utf8Rows(rows, page.location);
}

/** The entries of a dictionary that some rows have, as `textRows`. */
export function entryRows(entries: ByteStrings, codes: Uint32Array, location: FileLocation): Utf8Rows | null {
  if (codes.length < WORTH_A_CALL || numberKernels() === null) return null;
  return utf8Rows({ texts: entries, codes, isShared: true }, location);
}

function utf8Rows({ texts, codes, isShared }: RowTexts, location: FileLocation): Utf8Rows | null {
  const check = (): void => {
    checkTexts(texts, dataOf(texts), location);
  };
  if (!isShared) check();
  return !isShared || isWellFormed(texts, check) ? { kind: 'utf8', texts, codes, validity: null } : null;
}

/** Of rows with nulls among them, the codes that they have by row. */
function codesOfRows({ byRow, rowCount, validity }: ColumnPage, span: Span): RowTexts | null {
  if (validity === null || byRow?.entries.kind !== 'strings') return null;
  const { buffer, byteOffset, length } = wantedCodes({ byRow, rowCount }, span);
  const texts = loadedStrings(byRow.entries) as ByteStrings;
  return { texts, codes: new Uint32Array(buffer, byteOffset, length), isShared: true };
}

function valuesOfRows(page: ColumnPage, span: Span): RowTexts | null {
  const where = rowValuesOf(page, span);
  const { valueIndexes } = where;
  const strings = stringsAt(page, where);
  if (strings?.kind !== 'coded') return strings && { texts: strings, codes: valueIndexes, isShared: false };
  const { entries, codes } = strings;
  return { texts: entries, codes: valueIndexes === null ? codes : codesByRow(codes, valueIndexes), isShared: true };
}
