// What `inspect` of columna found -> lines of text: the file, its columns, and row group by row group its chunks.
import type { InspectedChunk, InspectedColumn, InspectedFile, InspectedPage, InspectedRowGroup } from 'columna';
import { count, counted } from '../terminal/terminal.ts';
import { boundText } from './bound-text.ts';
import { columnsOf } from './text-columns.ts';

const MOST_ROW_GROUPS = 20;
/** Of a file, from which on it is told what nothing of it needs. */
const LEAST_SHARE_LEFT = 0.05;

export function fileText(file: InspectedFile, options: { readonly pages: boolean; readonly all: boolean }): string[] {
  const shown = options.all ? file.rowGroups : file.rowGroups.slice(0, MOST_ROW_GROUPS);
  const lines = [...summaryLines(file), '', ...columnLines(file)];
  for (const group of shown) {
    lines.push('');
    for (const line of groupLines(group, file.columns, options.pages)) lines.push(line);
  }
  if (shown.length < file.rowGroups.length) {
    lines.push('', `${count(file.rowGroups.length - shown.length)} more row groups: --all lists them`);
  }
  const left = bytesLeft(file);
  if (left >= LEAST_SHARE_LEFT * file.byteLength)
    lines.push(
      '',
      `${count(left)} bytes, ${share(left, file.byteLength)}, are of older footers and row groups; ` +
        'colkit convert writes a file without them',
    );
  return lines;
}

/** Bytes of what the file was before rows were added; 0 where not all row groups are known. */
function bytesLeft({ byteLength, rowGroups, rowGroupCount, footer }: InspectedFile): number {
  if (rowGroups.length < rowGroupCount) return 0;
  return rowGroups.reduce((left, group) => left - group.byteLength, byteLength - footer.byteLength);
}

/** What the footer says of the whole file. */
export function summaryLines(file: InspectedFile): string[] {
  const { path, byteLength, rowCount, columnCount, rowGroupCount, footer, formatVersion, createdBy, metadata } = file;
  const sizes = [counted(rowCount, 'row'), counted(columnCount, 'column'), counted(rowGroupCount, 'row group')];
  const previous = footer.previousEnd === 0 ? '' : `, an older one ends at ${count(footer.previousEnd)}`;
  return [
    `${path}: ${count(byteLength)} bytes, ${sizes.join(', ')}`,
    `format version ${formatVersion}${createdBy === null ? '' : `, written by ${createdBy}`}; ` +
      `footer of ${count(footer.byteLength)} bytes at ${count(footer.byteOffset)}${previous}`,
    ...Object.entries(metadata).map(([key, value]) => `${key}: ${value}`),
  ];
}

function columnLines({ columns, columnCount, byteLength }: InspectedFile): string[] {
  const pagesOf = ([label, pages]: readonly [string, number]): string =>
    pages === 1 ? label : `${label} ×${count(pages)}`;
  const rows = columns.map(({ name, type, nullable, byteLength: bytes, encodings }) => [
    name,
    nullable ? `${type}, nulls` : type,
    count(bytes),
    share(bytes, byteLength),
    Object.entries(encodings).map(pagesOf).join(', '),
  ]);
  const heading = ['column', 'type', 'bytes', 'share', 'encodings of pages'];
  const lines = columnsOf([heading, ...rows], [false, false, true, true, false]);
  if (columns.length < columnCount) {
    lines.push(`${count(columnCount - columns.length)} more columns: --all lists them, --columns chooses`);
  }
  return lines;
}

function groupLines(group: InspectedRowGroup, columns: readonly InspectedColumn[], pages: boolean): string[] {
  const { rowGroup, firstRow, rowCount, pageRows, byteOffset, byteLength, chunks } = group;
  const pageCount = Math.ceil(rowCount / pageRows);
  const rows = chunks.map((chunk, index) => chunkCells(chunk, columns[index] as InspectedColumn));
  const heading = ['column', 'encoding', 'codec', 'bytes', 'minimum', 'maximum', 'nulls'];
  const pagesText = pageCount === 1 ? 'one page a column' : `pages of ${count(pageRows)} rows`;
  const lines = [
    `row group ${rowGroup}: rows ${count(firstRow)} to ${count(firstRow + rowCount)}, ${pagesText}, ` +
      `${count(byteLength)} bytes at ${count(byteOffset)}`,
    ...columnsOf([heading, ...rows], [false, false, false, true, true, true, true], '  '),
  ];
  const hasReasons = chunks.some(
    ({ whyJoint, pages: of }) => whyJoint !== undefined || of.some(({ choice }) => choice !== undefined),
  );
  if (hasReasons) for (const chunk of chunks) for (const line of reasonLines(chunk)) lines.push(line);
  if (pages) for (const chunk of chunks) for (const line of pageLines(chunk)) lines.push(line);
  return lines;
}

function chunkCells(chunk: InspectedChunk, column: InspectedColumn): string[] {
  const { min, max, nullCount } = chunk.statistics;
  const codecs = distinct(chunk.pages.map(({ codec }) => codec));
  const bounds = [boundText(column, min), boundText(column, max)];
  return [chunk.column, encodingText(chunk), codecs, count(chunk.byteLength), ...bounds, count(nullCount)];
}

/** The encodings of a chunk's pages in a few words. */
function encodingText({ codesOf, joint, pages, dictionary }: InspectedChunk): string {
  if (codesOf !== null) return `codes of ${JSON.stringify(codesOf)}`;
  const own = distinct(pages.map(pageEncoding));
  return `${own}${dictionary === null ? '' : joint ? ', joint dictionary' : ', dictionary page'}`;
}

function pageEncoding({ encoding, valueCount, choice }: InspectedPage): string {
  if (valueCount === 0) return 'nulls only';
  return choice?.encoding ?? encoding;
}

function distinct(texts: readonly string[]): string {
  return texts.length === 0 ? '–' : [...new Set(texts)].join(' | ');
}

function reasonLines({ column, whyJoint, pages }: InspectedChunk): string[] {
  if (whyJoint !== undefined) return [`  ${column}: ${whyJoint}`];
  return pages.map(({ choice }, page) => {
    const why = choice === null || choice === undefined ? 'nothing but nulls' : `${choice.encoding}: ${choice.why}`;
    return `  ${column}${pages.length === 1 ? '' : `, page ${page}`}: ${why}`;
  });
}

function pageLines({ column, dictionary, pages }: InspectedChunk): string[] {
  const cells = (name: string, page: InspectedPage): string[] => {
    const { codec, byteLength, bodyBytes, rowCount, byteOffset } = page;
    return [name, pageEncoding(page), codec, ...[byteLength, bodyBytes, rowCount, byteOffset].map(count)];
  };
  const rows = [
    ...(dictionary === null ? [] : [cells(`${column}, dictionary`, dictionary)]),
    ...pages.map((page, number) => cells(`${column}, page ${number}`, page)),
  ];
  const heading = ['page', 'encoding', 'codec', 'bytes', 'body', 'rows', 'at'];
  return rows.length === 0 ? [] : columnsOf([heading, ...rows], [false, false, false, true, true, true, true], '  ');
}

function share(bytes: number, of: number): string {
  return of === 0 ? '–' : `${((100 * bytes) / of).toFixed(1)} %`;
}
