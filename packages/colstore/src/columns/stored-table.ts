// An open .cstore file as a TableSource: layout plus bytes. A read of any rows and columns is one gather; nothing is
// mapped and no segment table is built before the first.
import { ArgumentError, CannotViewError, ClosedError, createGatherer } from '@colkit/io';
import type {
  ColumnSegments,
  GatherOutput,
  GatherRequest,
  Gatherer,
  RandomAccessSource,
  RawColumns,
  RawOptions,
  RowSelection,
} from '@colkit/io';
import type { Operation, Work, WorkContext } from '@colkit/io/effects';
import { answerRaw, rangeOf, rawColumn, writtenChunk } from '@colkit/table';
import type { Answer, Chunk, Field, Plan, RawSource, ReadRequest, TableSource } from '@colkit/table';
import { readStatistics } from '../layout/read-layout.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { planHelped } from './answering.ts';
import { swapItems, swapUnit } from './byte-order.ts';
import { contiguousRange, segmentsOf } from './segments.ts';

export interface StoredTableOptions {
  readonly backend?: 'auto' | 'native' | 'js';
  /** Most threads of a read that names none; 0: the process-wide setting. */
  readonly maxWorkers?: number;
}

/** What one combination of columns needs on every read of it. */
interface ColumnPlan {
  readonly columns: Int32Array;
  readonly hasBigEndian: boolean;
}

export class StoredTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly #layout: FileLayout;
  readonly #source: RandomAccessSource;
  readonly options: StoredTableOptions;
  /** Undefined: not looked for yet. */
  #statistics: Statistics | null | undefined;
  #segments: ColumnSegments | null = null;
  #gatherer: Gatherer | null = null;
  #plan: ColumnPlan = { columns: new Int32Array(0), hasBigEndian: false };

  /** Takes over the source: closing the table closes it. */
  constructor(source: RandomAccessSource, layout: FileLayout, options: StoredTableOptions = {}) {
    this.name = layout.path;
    this.rowCount = layout.rowCount;
    this.fields = layout.columns.map(({ name, dtype }) => Object.freeze({ name, dtype: dtype.name, nullable: false }));
    this.#source = source;
    this.#layout = layout;
    this.options = options;
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  /** The file's own. */
  get form(): 'flat' | 'records' {
    return this.#layout.wire === 'flat' || this.#layout.wire === 'flat-unchecked' ? 'flat' : 'records';
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    return new StoredRead(this, request);
  }

  /** @throws ClosedError; what the source's reads throw. */
  async gather(request: ReadRequest, context: WorkContext): Promise<readonly Chunk[]> {
    const gatherer = this.#open('read');
    const plan = this.#planOf(request.columns);
    await gatherer.gather(this.#gatherRequest(request, plan, context));
    return this.#finish(request, plan);
  }

  gatherSync(request: ReadRequest, context: WorkContext): readonly Chunk[] {
    const gatherer = this.#open('readSync');
    const plan = this.#planOf(request.columns);
    gatherer.gatherSync(this.#gatherRequest(request, plan, context));
    return this.#finish(request, plan);
  }

  /** By the statistics footer, where there is one; what it does not tell, by the addon, where there is one. */
  *execute(plan: Plan): Work<Answer> {
    const { layout, source } = this.opened('read');
    const range = rangeOf(plan.rows);
    const aggregation = plan.want.kind === 'aggregates' ? plan.want.aggregation : null;
    if (range === null || (plan.where === null && aggregation === null)) return { kind: 'rest', plans: [plan] };
    let answer: Answer = { kind: 'rest', plans: [plan] };
    // Of groups they tell nothing.
    if (plan.where !== null || aggregation?.by.length === 0) {
      if (this.#statistics === undefined) this.#statistics = yield* readStatistics(source, layout);
      if (this.#statistics !== null) answer = yield* planHelped(layout, this.#statistics, plan, range);
    }
    const raw = answer.kind === 'rest' && answer.plans.length > 0 ? (this.#open('read').raw?.() ?? null) : null;
    return answer.kind === 'rest' && raw !== null ? yield* answerRaw(this.#rawSource(raw), plan, answer.plans) : answer;
  }

  viewColumn(column: number, start: number, count: number): Uint8Array {
    if (this.closed) throw new ClosedError('viewColumn', this.name);
    const stored = this.#layout.columns[column];
    if (stored === undefined)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'column',
        `a column number below ${String(this.fields.length)}`,
        String(column),
      );
    if (!isRowRange(start, count, this.rowCount)) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'rows',
        `a range within ${String(this.rowCount)} rows`,
        `${String(count)} rows from ${String(start)}`,
      );
    }
    if (stored.bigEndian)
      throw new CannotViewError(
        'ERR_NOT_VIEWABLE',
        `column ${JSON.stringify(stored.name)} is stored big-endian`,
        'copy it with toArray()',
      );
    const range = contiguousRange(this.#segmentTable(), column, start, count);
    if (range === null) {
      throw new CannotViewError(
        'ERR_NOT_CONTIGUOUS',
        'the rows lie in more than one record of the file',
        'copy them with toArray(), or compact the file: write(path, table, { overwrite: true }) makes one record',
      );
    }
    return this.#source.view(range.byteOffset, range.byteLength, range.record);
  }

  close(): void {
    this.#source.close();
  }

  /** What it reads from. @throws ClosedError naming `operation`. */
  opened(operation: string): { readonly layout: FileLayout; readonly source: RandomAccessSource } {
    if (this.#source.closed) throw new ClosedError(operation, this.name);
    return { layout: this.#layout, source: this.#source };
  }

  #rawSource(raw: RawColumns): RawSource {
    const { columns } = this.#layout;
    const workersOf = ({ workers, signal }: WorkContext): RawOptions => {
      const most = workers === 0 ? (this.options.maxWorkers ?? 0) : workers;
      return signal === undefined ? { workers: most } : { workers: most, signal };
    };
    return {
      table: this,
      columnOf: ({ number, info }) => rawColumn(number, info, columns[number]?.bigEndian === true),
      run: (program) => ({
        run: (context) => raw.run(program, workersOf(context)),
        runSync: (context) => raw.runSync(program, workersOf(context)),
      }),
    };
  }

  #open(operation: string): Gatherer {
    if (this.#source.closed) throw new ClosedError(operation, this.name);
    this.#gatherer ??= createGatherer(
      this.#source,
      this.#segmentTable(),
      this.options.backend === undefined ? {} : { backend: this.options.backend },
    );
    return this.#gatherer;
  }

  #segmentTable(): ColumnSegments {
    this.#segments ??= segmentsOf(this.#layout);
    return this.#segments;
  }

  /** Small reads repeat the same columns: their numbers are converted once. */
  #planOf(columns: readonly number[]): ColumnPlan {
    const last = this.#plan;
    if (sameNumbers(last.columns, columns)) return last;
    const hasBigEndian = columns.some((column) => this.#layout.columns[column]?.bigEndian === true);
    this.#plan = { columns: Int32Array.from(columns), hasBigEndian };
    return this.#plan;
  }

  #gatherRequest(
    { rows, outputs }: ReadRequest,
    plan: ColumnPlan,
    { signal, workers: asked }: WorkContext,
  ): GatherRequest {
    if (!arePlaced(outputs))
      throw new ArgumentError(
        'ERR_OUT_BUFFER',
        'outputs',
        'a buffer for every column: all of them have a fixed width',
        'null',
      );
    const workers = asked === 0 ? (this.options.maxWorkers ?? 0) : asked;
    return signal === undefined
      ? { columns: plan.columns, rows, outputs, workers }
      : { columns: plan.columns, rows, outputs, workers, signal };
  }

  #finish(request: ReadRequest, plan: ColumnPlan): readonly Chunk[] {
    if (plan.hasBigEndian) this.#swap(request);
    const { outputs } = request;
    const count = selectedRows(request.rows);
    const chunks = new Array<Chunk>(outputs.length);
    for (let position = 0; position < outputs.length; position += 1)
      chunks[position] = writtenChunk(outputs[position] as GatherOutput, count, null);
    return chunks;
  }

  #swap({ columns, outputs, rows }: ReadRequest): void {
    const count = selectedRows(rows);
    columns.forEach((column, index) => {
      const stored = this.#layout.columns[column];
      const output = outputs[index];
      if (stored?.bigEndian === true && output) swapItems(output, count, stored.dtype.itemBytes, swapUnit(stored));
    });
  }
}

/** One read as an operation: small ones are many, and this is all that they allocate for it. */
class StoredRead implements Operation<readonly Chunk[]> {
  readonly #table: StoredTable;
  readonly #request: ReadRequest;

  constructor(table: StoredTable, request: ReadRequest) {
    this.#table = table;
    this.#request = request;
  }

  run(context: WorkContext): Promise<readonly Chunk[]> {
    return this.#table.gather(this.#request, context);
  }

  runSync(context: WorkContext): readonly Chunk[] {
    return this.#table.gatherSync(this.#request, context);
  }
}

function sameNumbers(cached: Int32Array, columns: readonly number[]): boolean {
  if (cached.length !== columns.length) return false;
  for (let index = 0; index < columns.length; index += 1) if (cached[index] !== columns[index]) return false;
  return true;
}

function arePlaced(outputs: readonly (GatherOutput | null)[]): outputs is readonly GatherOutput[] {
  for (const output of outputs) if (output === null) return false;
  return true;
}

const isRowRange = (start: number, count: number, rowCount: number): boolean =>
  Number.isSafeInteger(start) && Number.isSafeInteger(count) && start >= 0 && count >= 0 && count <= rowCount - start;

const selectedRows = (rows: RowSelection): number => (rows.kind === 'indices' ? rows.indices.length : rows.count);
