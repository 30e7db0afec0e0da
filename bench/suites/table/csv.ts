// Raw columns -> a CSV file, or one of JSON lines: how the peers that make their files from text get tables that have
// none, and what is read in.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { RawColumn } from './files.ts';

const CHUNK_CHARACTERS = 1 << 22;

/** Moments as ISO text to the second, nulls as nothing, no quotes: no text of these tables has a comma. */
export function writeTableCsv(path: string, columns: readonly RawColumn[]): void {
  const cells = columns.map(cellOf);
  const head = `${columns.map(({ column }) => column.name).join(',')}\n`;
  writeLines(path, head, columns, (row) => cells.map((cell) => cell(row)).join(','));
}

/** The same as JSON lines: numbers as such, all else as text. */
export function writeTableJson(path: string, columns: readonly RawColumn[]): void {
  const cells = columns.map(cellOf);
  const lineOf = (row: number): string =>
    columns
      .map(({ column: { name, dtype } }, index) => {
        const text = cells[index]?.(row) ?? '';
        return `"${name}":${dtype === 'string' || dtype === 'datetime64[ms]' ? JSON.stringify(text) : text}`;
      })
      .join(',');
  writeLines(path, '', columns, (row) => `{${lineOf(row)}}`);
}

function writeLines(path: string, head: string, columns: readonly RawColumn[], lineOf: (row: number) => string): void {
  const fd = openSync(path, 'w');
  let text = head;
  for (let row = 0; row < (columns[0]?.values.length ?? 0); row++) {
    text += `${lineOf(row)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    writeSync(fd, text);
    text = '';
  }
  writeSync(fd, text);
  closeSync(fd);
}

function cellOf({ column, values, dictionary }: RawColumn): (row: number) => string {
  switch (column.dtype) {
    case 'string':
      return (row) => dictionary[values[row] as number] ?? '';
    case 'datetime64[ms]':
      return (row) => new Date(Number(values[row])).toISOString().slice(0, 19);
    default:
      return (row) => String(values[row]);
  }
}
