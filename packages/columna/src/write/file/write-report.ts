// What a writer tells of a finished file: its counts, and for every column what it took and how it was encoded. One
// entry a column, however many row groups there are.
import type { FileSchema } from '../../layout/schema.ts';
import type { ChunkReport } from './file-encoder.ts';

export interface ColumnSummary {
  readonly name: string;
  /** Bytes of all its pages in the file; a member of a joint dictionary has only its own dictionary pages. */
  readonly byteLength: number;
  /** How often each encoding was chosen for a page, the tree in words: `DECIMAL(BITPACK) + DEFLATE`. */
  readonly encodings: ReadonlyMap<string, number>;
  /** The columns with which it shared codes in some row group. */
  readonly jointWith: readonly string[];
}

/** What an import did to a column that its values alone do not show. */
export interface ColumnNote {
  readonly column: string;
  readonly note: string;
}

export interface WriteReport {
  readonly byteLength: number;
  readonly rowCount: number;
  readonly rowGroupCount: number;
  readonly columns: readonly ColumnSummary[];
}

/** One row group as it went to the file: every page, and the sizes of the encodings that lost. */
export interface RowGroupReport {
  readonly rowGroup: number;
  readonly rowCount: number;
  readonly byteLength: number;
  readonly chunks: readonly ChunkReport[];
}

interface Sum {
  byteLength: number;
  readonly encodings: Map<string, number>;
  readonly jointWith: Set<string>;
}

/** Adds up the reports of row groups. */
export class ReportBuilder {
  readonly #names: readonly string[];
  readonly #sums: readonly Sum[];

  constructor(schema: FileSchema) {
    this.#names = schema.columns.map(({ name }) => name);
    this.#sums = this.#names.map(() => ({
      byteLength: 0,
      encodings: new Map<string, number>(),
      jointWith: new Set<string>(),
    }));
  }

  add(chunks: readonly ChunkReport[]): void {
    for (const [number, { bytes, pages, leader, column }] of chunks.entries()) {
      const sum = this.#sums[number] as Sum;
      sum.byteLength += bytes;
      for (const { encoding, codec } of pages) {
        const label = codec === 'NONE' ? encoding : `${encoding} + ${codec}`;
        sum.encodings.set(label, (sum.encodings.get(label) ?? 0) + 1);
      }
      if (leader === null) continue;
      sum.jointWith.add(leader);
      this.#sums[this.#names.indexOf(leader)]?.jointWith.add(column);
    }
  }

  report(byteLength: number, rowCount: number, rowGroupCount: number): WriteReport {
    const columns = this.#sums.map((sum, number) => ({
      name: this.#names[number] as string,
      byteLength: sum.byteLength,
      encodings: sum.encodings,
      jointWith: [...sum.jointWith],
    }));
    return { byteLength, rowCount, rowGroupCount, columns };
  }
}
