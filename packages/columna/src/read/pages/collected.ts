// The rows of a scan, fetch by fetch -> one table in memory, so that its columns come in every form in which a
// table's columns come.
import { UnsupportedError } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { ColumnData, Field, ReadRequest, TableSource } from '@colkit/table';
import { ResultValidity } from './rank.ts';

/** One column of one fetch. */
export interface Piece {
  readonly rowCount: number;
  readonly data: ColumnData;
  /** The packed items of a fixed-width column. */
  readonly bytes: Uint8Array | null;
}

/** Exists to be read as a whole, once. */
export class CollectedRows implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly closed = false;
  readonly #columns: readonly (readonly Piece[])[];

  /** @param columns for each field, its pieces in order. */
  constructor(name: string, fields: readonly Field[], columns: readonly (readonly Piece[])[], rowCount: number) {
    this.name = name;
    this.fields = fields;
    this.rowCount = rowCount;
    this.#columns = columns;
  }

  read(request: ReadRequest): Operation<readonly ColumnData[]> {
    const runSync = (): readonly ColumnData[] => this.#joined(request);
    return { run: () => Promise.resolve(runSync()), runSync };
  }

  #joined({ columns, outputs }: ReadRequest): readonly ColumnData[] {
    return columns.map((column, index) => {
      const pieces = this.#columns[column] ?? [];
      const output = outputs[index] ?? null;
      if (output !== null) {
        let at = output.byteOffset;
        for (const { bytes } of pieces) {
          if (bytes === null) continue;
          output.bytes.set(bytes, at);
          at += bytes.length;
        }
        return { kind: 'fixed', validity: joinedValidity(pieces, this.rowCount) };
      }
      return joined(pieces, this.rowCount);
    });
  }

  viewColumn(): Uint8Array {
    throw new UnsupportedError('ERR_FEATURE', 'views', 'the rows of a scan have no place in a file');
  }

  close(): void {
    // There is nothing to close: the rows are in memory.
  }
}

function joinedValidity(pieces: readonly Piece[], rowCount: number): Uint8Array | null {
  const validity = new ResultValidity(rowCount);
  let row = 0;
  for (const piece of pieces) {
    if (piece.data.validity !== null) validity.copy(piece.data.validity, 0, piece.rowCount, row);
    row += piece.rowCount;
  }
  return validity.finish();
}

function joined(pieces: readonly Piece[], rowCount: number): ColumnData {
  const validity = joinedValidity(pieces, rowCount);
  if (pieces.every(({ data }) => data.kind === 'dictionary') && pieces.length > 0)
    return { kind: 'dictionary', ...joinedCodes(pieces, rowCount), validity };
  const values = new Array<string | Uint8Array>(rowCount);
  let row = 0;
  for (const { data } of pieces) if (data.kind === 'values') for (const value of data.values) values[row++] = value;
  return { kind: 'values', values, validity };
}

/** Every piece has numbered its texts from 0. */
function joinedCodes(
  pieces: readonly Piece[],
  rowCount: number,
): { readonly codes: Int32Array; readonly dictionary: readonly string[] } {
  const codes = new Int32Array(rowCount);
  const known = new Map<string, number>();
  let row = 0;
  for (const { data } of pieces) {
    if (data.kind !== 'dictionary') continue;
    const numbers = data.dictionary.map((text) => {
      const number = known.get(text) ?? known.size;
      known.set(text, number);
      return number;
    });
    for (const code of data.codes) codes[row++] = code === -1 ? -1 : (numbers[code] as number);
  }
  return { codes, dictionary: [...known.keys()] };
}
