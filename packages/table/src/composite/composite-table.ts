// Several sources with the same columns as one: their rows one after another. What is asked of it is asked of those
// that have the rows; they are opened when they are needed, and few are open at a time.
import { CannotViewError, ClosedError } from '@colkit/io';
import { operationOf } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import type { Plan } from '../plan/plan.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Answer, ReadRequest, RowRange, TableSource } from '../source.ts';
import { AlignedTable } from './aligned-table.ts';
import { MOST_OPEN, OpenParts } from './open-parts.ts';
import type { Part } from './part.ts';
import { PartStarts } from './part-starts.ts';
import { executeParts } from './plan-parts.ts';
import { readParts } from './read-parts.ts';
import { routeOf } from './routes.ts';
import type { UnitedFields } from './unite-fields.ts';

/** Reads of parts in one go, where the format has a way: by the numbers of the table's columns. */
export interface JoinedReads {
  /**
   * Null: it does not take this one.
   * @param apart reads the parts one by one, for who finds out later that it cannot.
   */
  read(request: ReadRequest, apart: () => Operation<readonly Chunk[]>): Operation<readonly Chunk[]> | null;
  close(): void;
}

export class CompositeTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly parts: readonly Part[];
  readonly #starts: PartStarts;
  readonly #columns: UnitedFields['columns'];
  readonly #open: OpenParts;
  readonly #joined: JoinedReads | null;
  #closed = false;

  /**
   * @param united of these parts, from `uniteFields`.
   * @param joined takes reads first. @param mostOpen parts that stay open while nobody reads them.
   */
  constructor(
    name: string,
    parts: readonly Part[],
    { fields, columns }: UnitedFields,
    joined: JoinedReads | null = null,
    mostOpen = MOST_OPEN,
  ) {
    this.name = name;
    this.parts = parts;
    this.fields = fields;
    this.#columns = columns;
    this.#starts = new PartStarts(parts.map(({ rowCount }) => rowCount));
    this.rowCount = this.#starts.rowCount;
    this.#open = new OpenParts(parts, (table, number) => this.#aligned(table, number), mostOpen);
    this.#joined = joined;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** How many parts are open now. */
  get openCount(): number {
    return this.#open.openCount;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    if (this.#closed) throw new ClosedError('read', this.name);
    const apart = (): Operation<readonly Chunk[]> => operationOf(() => this.#read(request));
    return this.#joined?.read(request, apart) ?? apart();
  }

  execute(plan: Plan): Work<Answer> {
    if (this.#closed) throw new ClosedError('read', this.name);
    const { parts } = this;
    return executeParts({ table: this, parts, columns: this.#columns, starts: this.#starts, open: this.#open }, plan);
  }

  /** Of parts of which something is known before they are opened. */
  // eslint-disable-next-line require-yield -- here it waits for nothing; other tables read what they know
  *statisticsOf(column: number, rows: RowRange): Work<readonly ColumnStatistics[]> {
    const known: ColumnStatistics[] = [];
    for (let at = 0; at < this.#starts.count; at += 1) {
      const number = this.#starts.numbers[at] as number;
      const own = (this.#columns[number] ?? null) === null ? column : this.#columns[number]?.[column];
      const isInside = this.#starts.start(at) >= rows.start && this.#starts.start(at + 1) <= rows.end;
      const statistics = isInside && typeof own === 'number' ? this.parts[number]?.statisticsOf?.(own) : null;
      if (statistics !== null && statistics !== undefined) known.push(statistics);
    }
    return known;
  }

  viewColumn(column: number, start: number, count: number): Uint8Array {
    if (this.#closed) throw new ClosedError('viewColumn', this.name);
    const index = this.#starts.find(start);
    if (start + count > this.#starts.start(index + 1))
      throw new CannotViewError('ERR_NOT_CONTIGUOUS', 'the rows lie in more than one file', 'copy them with toArray()');
    const part = this.#starts.numbers[index] as number;
    return this.#open.useSync(part, (table) => table.viewColumn(column, start - this.#starts.start(index), count));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#joined?.close();
    this.#open.close();
  }

  *#read(request: ReadRequest): Work<readonly Chunk[]> {
    if (this.#closed) throw new ClosedError('read', this.name);
    return yield* readParts(this.#open, this.fields, request, routeOf(this.#starts, request.rows));
  }

  #aligned(table: TableSource, number: number): TableSource {
    const columns = this.#columns[number] ?? null;
    return columns === null ? table : new AlignedTable(table, this.fields, columns);
  }
}
