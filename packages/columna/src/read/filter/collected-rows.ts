// The rows of a scan, fetch by fetch -> one table in memory, so that its columns come in every form in which a
// table's columns come.
import { UnsupportedError, allocateOutputs, parseDType } from '@colkit/io';
import type { GatherOutput } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { joinedChunk, writtenChunk } from '@colkit/table';
import type { Chunk, Field, ReadRequest, TableSource } from '@colkit/table';

/** Exists to be read as a whole, once. */
export class CollectedRows implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly closed = false;
  readonly ownsMemory = true;
  readonly #columns: readonly (readonly Chunk[])[];

  /** @param columns for each field, its chunks in order. */
  constructor(name: string, fields: readonly Field[], columns: readonly (readonly Chunk[])[], rowCount: number) {
    this.name = name;
    this.fields = fields;
    this.rowCount = rowCount;
    this.#columns = columns;
  }

  read({ columns, outputs }: ReadRequest): Operation<readonly Chunk[]> {
    const runSync = (): readonly Chunk[] =>
      columns.map((column, index) => this.#joined(column, outputs[index] ?? null));
    return { run: () => Promise.resolve(runSync()), runSync };
  }

  #joined(column: number, output: GatherOutput | null): Chunk {
    const chunks = this.#columns[column] ?? [];
    const [only] = chunks;
    if (output === null && chunks.length === 1 && only !== undefined) return only;
    const { itemBytes } = parseDType((this.fields[column] as Field).dtype);
    const [own] = output === null ? allocateOutputs([itemBytes * this.rowCount]) : [];
    const memory = output === null ? own : writtenChunk(output, this.rowCount, null).bytes;
    return joinedChunk(itemBytes, chunks, this.rowCount, memory);
  }

  viewColumn(): Uint8Array {
    throw new UnsupportedError('ERR_FEATURE', 'views', 'the rows of a scan have no place in a file');
  }

  close(): void {
    // There is nothing to close: the rows are in memory.
  }
}
