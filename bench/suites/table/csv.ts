// Raw columns -> a CSV file: how the peers that make their files from text get tables that have none.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { RawColumn } from './files.ts';

const CHUNK_CHARACTERS = 1 << 22;

/** Moments as ISO text to the second, nulls as nothing, no quotes: no text of these tables has a comma. */
export function writeTableCsv(path: string, columns: readonly RawColumn[]): void {
  const fd = openSync(path, 'w');
  let text = `${columns.map(({ column }) => column.name).join(',')}\n`;
  const cells = columns.map(cellOf);
  for (let row = 0; row < (columns[0]?.values.length ?? 0); row++) {
    text += `${cells.map((cell) => cell(row)).join(',')}\n`;
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
