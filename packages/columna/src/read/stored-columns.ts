// The columns of an open .cna file: any rows, any columns, only the pages that hold them. Apart from what answers
// predicates and aggregates, which a program that only reads columns does not have to hold.
import { operationOf } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk, ColumnSource, Field, ReadRequest } from '@colkit/table';
import type { StoredFile } from './file/stored-file.ts';
import { readRows } from './page-reading.ts';

export class StoredColumns implements ColumnSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly file: StoredFile;

  constructor(file: StoredFile) {
    this.file = file;
    this.name = file.path;
    this.rowCount = file.footer.rowCount;
    this.fields = file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
  }

  get closed(): boolean {
    return this.file.source.closed;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    return operationOf(() => this.#reading(request));
  }

  *#reading(request: ReadRequest): Work<readonly Chunk[]> {
    this.file.requireOpen('read');
    return yield* readRows(this.file, request);
  }
}
