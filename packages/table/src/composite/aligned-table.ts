// An opened part with the columns of the whole table: in its order, without those that others lack, with those that are
// not in the file because all rows have one value of them.
import {
  ArgumentError,
  CannotViewError,
  ClosedError,
  isBinary,
  isVariableText,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { DTypeInfo, GatherOutput } from '@colkit/io';
import { operationOf, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import type { Plan, Want } from '../plan/plan.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Answer, ReadRequest, RowRange, TableSource } from '../source.ts';
import { encodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import type { FixedStringType } from '../values/fixed-strings.ts';
import { mapPredicate, statisticsOfConstant } from './map-predicate.ts';
import type { Replacement } from './map-predicate.ts';
import type { ConstantColumn } from './part.ts';
import type { PartColumn } from './unite-fields.ts';

const utf8 = new TextEncoder();

export class AlignedTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  /** The part itself. */
  readonly inner: TableSource;
  readonly #columns: readonly PartColumn[];
  readonly #refs = new Map<ColumnRef, ColumnRef>();
  readonly #origins = new Map<ColumnRef, ColumnRef>();

  constructor(inner: TableSource, fields: readonly Field[], columns: readonly PartColumn[]) {
    this.name = inner.name;
    this.rowCount = inner.rowCount;
    this.fields = fields;
    this.inner = inner;
    this.#columns = columns;
  }

  get closed(): boolean {
    return this.inner.closed;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    return operationOf(() => this.#read(request));
  }

  *execute(plan: Plan): Work<Answer> {
    const mapped = this.inner.execute === undefined ? null : this.#planOf(plan);
    if (mapped === null || this.inner.execute === undefined) return { kind: 'rest', plans: [plan] };
    const answer = yield* this.inner.execute(mapped);
    return answer.kind === 'rest'
      ? { kind: 'rest', plans: answer.plans.map((rest) => this.#backOf(rest, plan)) }
      : answer;
  }

  *statisticsOf(column: number, rows: RowRange): Work<readonly ColumnStatistics[]> {
    const own = this.#columns[column] as PartColumn;
    if (typeof own !== 'number' || this.inner.statisticsOf === undefined) return [];
    return yield* this.inner.statisticsOf(own, rows);
  }

  viewColumn(column: number, start: number, count: number): Uint8Array {
    if (this.closed) throw new ClosedError('viewColumn', this.name);
    const own = this.#columns[column] as PartColumn;
    if (typeof own === 'number') return this.inner.viewColumn(own, start, count);
    const reason = `column ${JSON.stringify(own.field.name)} is not in the file: its value is that of the path`;
    throw new CannotViewError('ERR_NOT_VIEWABLE', reason, 'copy it with toArray()');
  }

  close(): void {
    this.inner.close();
  }

  *#read(request: ReadRequest): Work<readonly Chunk[]> {
    const stored: { readonly column: number; readonly output: GatherOutput | null }[] = [];
    for (const [index, column] of request.columns.entries()) {
      const own = this.#columns[column] as PartColumn;
      if (typeof own === 'number') stored.push({ column: own, output: request.outputs[index] ?? null });
    }
    // With no column it still checks the rows.
    const chunks = yield* perform(
      this.inner.read({
        ...request,
        columns: stored.map(({ column }) => column),
        outputs: stored.map(({ output }) => output),
      }),
    );
    const { rows } = request;
    const count = rows.kind === 'indices' ? rows.indices.length : rows.count;
    let used = 0;
    return request.columns.map((column, index) => {
      const own = this.#columns[column] as PartColumn;
      if (typeof own === 'number') return chunks[used++] as Chunk;
      return constantChunk(own, count, request.outputs[index] ?? null, request.strings);
    });
  }

  /** Null where the part cannot be asked. */
  #planOf(plan: Plan): Plan | null {
    const { want } = plan;
    let where: BoundPredicate | null = null;
    if (plan.where !== null) {
      where = mapPredicate(plan.where, (ref) => this.#replacementOf(ref));
      if (where === null) return null;
    }
    if (want.kind === 'columns') {
      const select = want.select.map((column) => this.#columns[column] as PartColumn);
      return select.every((column) => typeof column === 'number')
        ? { ...plan, where, want: { ...want, select } }
        : null;
    }
    if (want.kind !== 'aggregates') return { ...plan, where };
    const { aggregation } = want;
    if (aggregation.columns.some(({ number }) => typeof this.#columns[number] !== 'number')) return null;
    return { ...plan, where, want: { ...want, aggregation: aggregation.over((ref) => this.#refOf(ref)) } };
  }

  /** What is left of a plan, in terms of the whole table. */
  #backOf(rest: Plan, plan: Plan): Plan {
    const originOf = (ref: ColumnRef): ColumnRef => this.#origins.get(ref) ?? ref;
    const want: Want =
      rest.want.kind === 'aggregates' ? { ...rest.want, aggregation: rest.want.aggregation.over(originOf) } : plan.want;
    return { ...rest, where: rest.where === null ? null : mapPredicate(rest.where, originOf), want };
  }

  #replacementOf(ref: ColumnRef): Replacement {
    const own = this.#columns[ref.number] as PartColumn;
    return typeof own === 'number' ? this.#refOf(ref) : statisticsOfConstant(own, this.rowCount);
  }

  /** The part's own number of a column. */
  #refOf(ref: ColumnRef): ColumnRef {
    let own = this.#refs.get(ref);
    if (own === undefined) {
      own = { ...ref, number: this.#columns[ref.number] as number };
      this.#refs.set(ref, own);
      this.#origins.set(own, ref);
    }
    return own;
  }
}

/** A value that all rows have, as a read gives it. */
function constantChunk(
  { field, value }: ConstantColumn,
  count: number,
  output: GatherOutput | null,
  strings: ReadRequest['strings'],
): Chunk {
  const validity = value === null ? new Uint8Array((count + 7) >>> 3) : null;
  const info = parseDType(field.dtype);
  if (info.itemBytes === 0) {
    if (strings === 'dictionary' && isVariableText(info))
      return {
        kind: 'dictionary',
        rowCount: count,
        codes: new Int32Array(count).fill(value === null ? -1 : 0),
        dictionary: value === null ? [] : [String(value)],
        validity,
      };
    if (strings === 'utf8' && isVariableText(info)) {
      const bytes = utf8.encode(value === null ? '' : String(value));
      const codes = new Uint16Array(count);
      return { kind: 'utf8', rowCount: count, bytes, ends: Uint32Array.of(bytes.length), codes, validity };
    }
    const empty = isBinary(info) ? new Uint8Array(0) : '';
    return {
      kind: 'values',
      rowCount: count,
      values: new Array<string | Uint8Array>(count).fill((value as string | null) ?? empty),
      validity,
    };
  }
  if (output === null)
    throw new ArgumentError('ERR_OUT_BUFFER', 'outputs', `a buffer for a column of ${field.dtype}`, 'null');
  const item = itemOf(info, value);
  for (let row = 0; row < count; row += 1) output.bytes.set(item, output.byteOffset + row * output.byteStride);
  return writtenChunk(output, count, validity);
}

/** A value as a stored item; zeros where it is null. */
function itemOf(info: DTypeInfo, value: ConstantColumn['value']): Uint8Array {
  const item = new Uint8Array(info.itemBytes);
  if (value instanceof Uint8Array) item.set(value);
  else if (typeof value === 'string') encodeFixedStringsUnchecked([value], info as FixedStringType, 0, 1, item);
  else if (value !== null) {
    const items = typedArrayOver(info, item) as { [at: number]: unknown };
    items[0] = typeof value === 'boolean' ? Number(value) : value;
  }
  return item;
}
