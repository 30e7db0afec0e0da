// Golden folders -> tables to compare with. Beside NAME.<extension> lies NAME.json with the exact little-endian bytes
// of every column as hexadecimal text (the truth) and the values in readable, lossless form: floats as Python's repr,
// integers as decimal text, datetimes as ISO text or NaT, byte strings in hexadecimal.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface GoldenColumn {
  readonly name: string;
  /** numpy's dtype string, as stored. */
  readonly dtype: string;
  /** All items, little-endian whatever the file's order is. */
  readonly bytes: Uint8Array;
  readonly values: readonly (string | boolean)[];
}

export interface GoldenTable {
  readonly name: string;
  readonly path: string;
  /** The whole file. */
  readonly file: Uint8Array;
  readonly note: string;
  readonly rowCount: number;
  /** Rows of each record; one entry for a flat file. */
  readonly recordRows: readonly number[];
  readonly columns: readonly GoldenColumn[];
  readonly hasStatistics: boolean;
  /** The class that reading this file must fail with. */
  readonly error: string | null;
}

/** As the JSON has it. */
interface GoldenText {
  readonly note: string;
  readonly rows: number;
  readonly recordRows?: readonly number[];
  readonly columns?: readonly {
    readonly name: string;
    readonly dtype: string;
    readonly bytes: string;
    readonly values: readonly (string | boolean)[];
  }[];
  readonly statistics?: boolean;
  readonly error?: string;
}

/**
 * The tables of one folder, by name. `folder` is a path or a file URL such as
 * `new URL('./golden/release/', import.meta.url)`.
 */
export function loadGoldenTables(folder: string | URL, extension: string): readonly GoldenTable[] {
  const directory = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const names = readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  if (names.length === 0) throw new Error(`no golden files in ${directory}`);
  return names.map((name) => {
    const text = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as GoldenText;
    const path = join(directory, name + extension);
    return {
      name,
      path,
      file: new Uint8Array(readFileSync(path)),
      note: text.note,
      rowCount: text.rows,
      recordRows: text.recordRows ?? [text.rows],
      columns: (text.columns ?? []).map((column) => ({ ...column, bytes: bytesOfHex(column.bytes) })),
      hasStatistics: text.statistics ?? false,
      error: text.error ?? null,
    };
  });
}

/** 'f5 1b' or 'f51b' -> bytes. */
export function bytesOfHex(text: string): Uint8Array {
  const digits = text.replaceAll(/\s/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
}
