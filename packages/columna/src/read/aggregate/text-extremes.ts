// Texts of a page -> the least or the largest of each group, by the addon and by their bytes: only these become texts.
import { numberKernels } from '@colkit/io';
import type { Accumulator } from '@colkit/table';
import { loadedStrings, pickStrings } from '../../columns/byte-strings.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from '../pages/column-page.ts';
import { NULL_INDEX, codesByRow, rowValuesOf, stringsAt, wantedCodes } from '../pages/texts/row-strings.ts';
import { checkTexts, dataOf } from '../pages/texts/text-memory.ts';
import { decodeTexts, isWellFormed } from '../pages/texts/texts.ts';

/** Fewer rows are looked at here. */
const WORTH_A_CALL = 64;

/** The texts that rows have, and for each row which of them, NULL_INDEX for a null; without codes one after another. */
interface RowTexts {
  readonly texts: ByteStrings;
  readonly codes: Uint32Array | null;
}

/**
 * @param groups of the rows of the span; null: all are of group 0.
 * @returns false where the texts of the rows have to be looked at one by one.
 * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8.
 */
export function addTextExtremes(
  accumulator: Accumulator,
  page: ColumnPage,
  span: Span,
  groups: Uint32Array | null,
  groupCount: number,
): boolean {
  const kernels = spanCount(span) < WORTH_A_CALL ? null : numberKernels();
  if (kernels === null || (accumulator.fold !== 'min' && accumulator.fold !== 'max')) return false;
  const rows = rowTexts(page, span);
  if (rows === null) return false;
  const { texts, codes } = rows;
  const { bytes, start, ends } = texts;
  const best = new Uint32Array(groupCount);
  kernels.bestTexts(bytes, start, ends, codes, groups, accumulator.fold === 'max' ? 1 : 0, best);
  const found = Array.from(best.keys()).filter((group) => best[group] !== NULL_INDEX);
  const picked = pickStrings(
    texts,
    Uint32Array.from(found, (group) => best[group] as number),
  );
  for (const [i, text] of decodeTexts(picked, page.location).entries())
    accumulator.addSummary?.(found[i] as number, 1, text);
  return true;
}

/** Null for a dictionary with entries that are ill-formed, which need not be those of the rows; for nulls alone. */
function rowTexts(page: ColumnPage, span: Span): RowTexts | null {
  const { location } = page;
  const rows = codesOfRows(page, span) ?? valuesOfRows(page, span);
  if (rows === null) return null;
  const { texts, codes, isShared } = rows;
  const check = (): void => {
    checkTexts(texts, dataOf(texts), location);
  };
  if (!isShared) check();
  return !isShared || isWellFormed(texts, check) ? { texts, codes } : null;
}

type FoundTexts = RowTexts & { readonly isShared: boolean };

/** Of rows with nulls among them, the codes that they have by row. */
function codesOfRows({ byRow, rowCount, validity }: ColumnPage, span: Span): FoundTexts | null {
  if (validity === null || byRow?.entries.kind !== 'strings') return null;
  const { buffer, byteOffset, length } = wantedCodes({ byRow, rowCount }, span);
  const texts = loadedStrings(byRow.entries) as ByteStrings;
  return { texts, codes: new Uint32Array(buffer, byteOffset, length), isShared: true };
}

function valuesOfRows(page: ColumnPage, span: Span): FoundTexts | null {
  const where = rowValuesOf(page, span);
  const { valueIndexes } = where;
  const strings = stringsAt(page, where);
  if (strings?.kind !== 'coded') return strings && { texts: strings, codes: valueIndexes, isShared: false };
  const { entries, codes } = strings;
  return { texts: entries, codes: valueIndexes === null ? codes : codesByRow(codes, valueIndexes), isShared: true };
}
