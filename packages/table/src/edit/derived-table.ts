// A source with computed columns behind its own: the rows are the same, and so are the numbers of its own columns, so
// that whatever was asked of it is asked as before; of conditions, it answers the terms about its own columns first.
// Computed values are made for the rows of each read.
import {
  ArgumentError,
  CannotViewError,
  ClosedError,
  allocateOutputs,
  giveWorkingMemory,
  parseDType,
  takeWorkingMemory,
} from '@colkit/io';
import type { DTypeInfo, GatherOutput, RowSelection } from '@colkit/io';
import { operationOf, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import { writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../field.ts';
import { matchingRows, unexpected } from '../plan/execute.ts';
import { ROWS, wanting } from '../plan/plan.ts';
import type { Plan } from '../plan/plan.ts';
import { andPredicates } from '../query/and-predicates.ts';
import type { BoundPredicate, BoundValue, ColumnRef } from '../query/bound-predicate.ts';
import { columnsOf } from '../query/columns-of.ts';
import { BatchSelector } from '../query/evaluate/batch-selector.ts';
import { conjuncts } from '../query/evaluate/evaluate.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { printName } from '../query/text/print.ts';
import { EVERYTHING } from '../query/bind/normal-form.ts';
import { columnLabel } from '../input/typed.ts';
import type { Answer, ReadRequest, RowRange, TableSource } from '../source.ts';
import { isValid } from '../validity.ts';
import { appliedChunk } from './applied-column.ts';
import type { AppliedFunction } from './applied-column.ts';
import { overStored } from './computed-keys.ts';
import type { KeyColumn } from './computed-keys.ts';
import { widthOf } from './key-width.ts';
import { chunkOfVector, copyItemsTo, packedPlace } from './value-chunk.ts';

/** Its columns are those of the source, and computed ones before it. */
export interface DerivedColumn {
  readonly field: Field;
  readonly value: BoundValue | AppliedFunction;
}

/** What makes a chunk of the values of some rows. */
type MakeChunk = (
  columns: ReadonlyMap<number, Chunk>,
  count: number,
  output: GatherOutput | null,
  rows?: RowSelection,
) => Work<Chunk> | Chunk;

interface Computed {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly refs: readonly ColumnRef[];
  /** Gives a chunk at once where it is an expression. */
  readonly make: MakeChunk;
  readonly isExpression: boolean;
  /** See KeyColumn. */
  readonly width: bigint;
}

export class DerivedTable implements TableSource {
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly inner: TableSource;
  readonly #computed: readonly Computed[];

  constructor(inner: TableSource, columns: readonly DerivedColumn[]) {
    this.name = inner.name;
    this.rowCount = inner.rowCount;
    this.inner = inner;
    this.fields = [...inner.fields, ...columns.map(({ field }) => field)];
    this.#computed = columns.map(computedColumn);
  }

  get closed(): boolean {
    return this.inner.closed;
  }

  isComputed(column: number): boolean {
    return column >= this.inner.fields.length || this.inner.isComputed?.(column) === true;
  }

  read(request: ReadRequest): Operation<readonly Chunk[]> {
    if (request.columns.every((column) => column < this.inner.fields.length)) return this.inner.read(request);
    return operationOf(() => this.#read(request));
  }

  *execute(plan: Plan): Work<Answer> {
    const { inner } = this;
    const isOwn = (column: number): boolean => column >= inner.fields.length;
    if (inner.execute === undefined) return { kind: 'rest', plans: [plan] };
    if (plan.where?.columns.some(isOwn) === true) return yield* this.#executeTerms(plan, plan.where);
    const { want } = plan;
    if (want.kind === 'aggregates' && want.aggregation.columns.some(({ number }) => isOwn(number))) {
      const stored = overStored(want.aggregation, ({ number }) => this.#keyColumn(number));
      if (stored !== null) return yield* inner.execute(wanting(plan, { kind: 'aggregates', aggregation: stored }));
      if (plan.where === null) return { kind: 'rest', plans: [plan] };
      // It finds the rows; what they add up to is made of what is read and computed of them.
      const answer = yield* inner.execute(wanting(plan, ROWS));
      return { kind: 'rest', plans: restOf(answer, plan) };
    }
    if (want.kind !== 'columns' || !want.select.some(isOwn)) return yield* inner.execute(plan);
    const answer = yield* inner.execute(wanting(plan, ROWS));
    return answer.kind === 'rest' ? { kind: 'rest', plans: restOf(answer, plan) } : answer;
  }

  *statisticsOf(column: number, rows: RowRange): Work<readonly ColumnStatistics[]> {
    const { inner } = this;
    if (column >= inner.fields.length || inner.statisticsOf === undefined) return [];
    return yield* inner.statisticsOf(column, rows);
  }

  viewColumn(column: number, start: number, count: number): Uint8Array {
    if (this.closed) throw new ClosedError('viewColumn', this.name);
    if (column < this.inner.fields.length) return this.inner.viewColumn(column, start, count);
    const name = JSON.stringify(this.fields[column]?.name);
    throw new CannotViewError('ERR_NOT_VIEWABLE', `column ${name} is computed`, 'copy it with toArray()');
  }

  close(): void {
    this.inner.close();
  }

  /** For predicates with computed columns in them: those are computed of the rows that the other terms leave. */
  *#executeTerms(plan: Plan, where: BoundPredicate): Work<Answer> {
    const { inner } = this;
    const isStored = ({ columns }: BoundPredicate): boolean => columns.every((column) => column < inner.fields.length);
    const terms = conjuncts(where);
    const stored = terms.filter(isStored);
    if (stored.length === 0 || inner.execute === undefined) return { kind: 'rest', plans: [plan] };
    const own = terms.filter((term) => !isStored(term)).reduce(andPredicates);
    const first: Plan = { ...plan, where: stored.reduce(andPredicates), limit: Infinity };
    if (plan.want.kind === 'explanation') {
      const answer = yield* inner.execute(first);
      if (answer.kind !== 'explanation') return { kind: 'rest', plans: [plan] };
      const names = own.refs.map(({ name }) => printName(name)).join(', ');
      return { ...answer, lines: [...answer.lines, `reads or computes ${names} where the terms before left rows`] };
    }
    const answer = yield* inner.execute(wanting(first, ROWS));
    if (answer.kind === 'rest') {
      // What is read anyway is read for all terms at once.
      const plans = answer.plans.map(({ rows, where: left }) => {
        return { ...plan, rows, where: left === null ? own : { ...andPredicates(left, own), text: where.text } };
      });
      return { kind: 'rest', plans };
    }
    if (answer.kind !== 'rows') throw unexpected(answer);
    const left: Plan = { ...plan, rows: answer.rows, where: own };
    const rows = yield* matchingRows(this, left, [left]);
    return plan.want.kind === 'aggregates'
      ? { kind: 'rest', plans: [{ ...plan, rows, where: null }] }
      : { kind: 'rows', rows };
  }

  *#read(request: ReadRequest): Work<readonly Chunk[]> {
    const { rows } = request;
    const count = rows.kind === 'indices' ? rows.indices.length : rows.count;
    const base = this.inner.fields.length;
    const needed = this.#needed(request.columns);
    const outputs = new Map<number, GatherOutput | null>();
    for (const [index, column] of request.columns.entries())
      if (column < base && !needed.has(column)) outputs.set(column, request.outputs[index] ?? null);
    const places = new Places(request, count, this.#keepsNothing(needed.keys()));
    for (const { number, info } of needed.values()) outputs.set(number, places.of(number, info));
    const stored = [...outputs.keys()].filter((column) => column < base);
    const chunks = yield* perform(
      this.inner.read({ ...request, columns: stored, outputs: stored.map((column) => outputs.get(column) ?? null) }),
    );
    const columns = new Map<number, Chunk>();
    for (const [position, column] of stored.entries()) columns.set(column, chunks[position] as Chunk);
    for (const [k, { field, make }] of this.#computed.entries()) {
      if (!needed.has(base + k)) continue;
      const made = make(columns, count, outputs.get(base + k) ?? null, rows);
      columns.set(base + k, checked('rowCount' in made ? made : yield* made, field));
    }
    const answer = request.columns.map((column, index) => {
      const chunk = columns.get(column) as Chunk;
      const info = needed.get(column)?.info;
      return info === undefined || places.isFinal(index) ? chunk : handed(chunk, info, request, index);
    });
    places.release();
    return answer;
  }

  /** Whether all that is computed is of expressions: functions may keep what they are given. */
  #keepsNothing(needed: Iterable<number>): boolean {
    const base = this.inner.fields.length;
    return [...needed].every((column) => column < base || this.#computed[column - base]?.isExpression === true);
  }

  /** Null for a column of the source. */
  #keyColumn(column: number): KeyColumn | null {
    const computed = this.#computed[column - this.inner.fields.length];
    if (computed === undefined) return null;
    const { field, info, refs, width, make } = computed;
    const ofValues = (columns: ReadonlyMap<number, Chunk>, count: number): Chunk =>
      checked(make(columns, count, packedOutput(info, count)) as Chunk, field);
    return { info, refs, width, ofValues: computed.isExpression ? ofValues : null };
  }

  /** The columns that some are computed from, themselves among them. */
  #needed(columns: readonly number[]): ReadonlyMap<number, Pick<ColumnRef, 'number' | 'info'>> {
    const base = this.inner.fields.length;
    const needed = new Map<number, Pick<ColumnRef, 'number' | 'info'>>();
    const waiting = columns.filter((column) => column >= base);
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const computed = this.#computed[number - base] as Computed;
      needed.set(number, { number, info: computed.info });
      for (const ref of computed.refs) {
        if (ref.number >= base && !needed.has(ref.number)) waiting.push(ref.number);
        needed.set(ref.number, ref);
      }
    }
    return needed;
  }
}

function checked(chunk: Chunk, { name, nullable }: Field): Chunk {
  if (chunk.validity !== null && !nullable)
    throw new ArgumentError('ERR_VALUE', columnLabel(name), 'a value in every row (fillNull)', 'null');
  return chunk;
}

function computedColumn({ field, value }: DerivedColumn): Computed {
  const info = parseDType(field.dtype);
  if ('compute' in value) {
    const { refs } = value;
    const make: MakeChunk = (columns, count, output) => {
      const chunks = refs.map(({ number }) => columns.get(number) as Chunk);
      return appliedChunk(field, info, value, chunks, count, output);
    };
    return { field, info, refs, make, isExpression: false, width: 1n };
  }
  const refs = [...columnsOf({ kind: 'isNullValue', value })];
  const numbers = refs.map(({ number }) => number);
  const selector = new BatchSelector({ columns: numbers, refs, text: '', root: EVERYTHING });
  const make: MakeChunk = (columns, count, output, rows) =>
    chunkOfVector(field.name, info, selector.values(value, { rowCount: count, columns, rows }), count, output);
  return { field, info, refs, make, isExpression: true, width: widthOf(value) };
}

/** What a source left of finding the rows of a plan, or the rows that it found, as plans for what is wanted of them. */
function restOf(answer: Answer, plan: Plan): readonly Plan[] {
  if (answer.kind === 'rest') return answer.plans.map((rest) => ({ ...rest, want: plan.want }));
  if (answer.kind !== 'rows') throw unexpected(answer);
  return [{ ...plan, rows: answer.rows, where: null }];
}

/** Where the columns that a read computes with go, packed: where they are wanted, if so, else in lent memory. */
class Places {
  readonly #request: ReadRequest;
  readonly #count: number;
  readonly #mayLend: boolean;
  readonly #lent: ArrayBuffer[] = [];
  /** Positions in the request of what goes where it is wanted. */
  readonly #final = new Set<number>();

  constructor(request: ReadRequest, count: number, mayLend: boolean) {
    this.#request = request;
    this.#count = count;
    this.#mayLend = mayLend;
  }

  of(column: number, info: DTypeInfo): GatherOutput | null {
    if (info.itemBytes === 0) return null;
    const index = this.#request.columns.indexOf(column);
    const wanted = this.#request.outputs[index] ?? null;
    const byteStride = info.itemBytes;
    const place = wanted === null ? null : packedPlace(wanted, byteStride, this.#count);
    if (place !== null) {
      this.#final.add(index);
      return { bytes: place, byteOffset: 0, byteStride };
    }
    // What is wanted without a place is handed out as it is.
    if (!this.#mayLend || (index !== -1 && wanted === null)) return packedOutput(info, this.#count);
    const byteLength = byteStride * this.#count;
    const memory = takeWorkingMemory(byteLength);
    this.#lent.push(memory);
    return { bytes: new Uint8Array(memory, 0, byteLength), byteOffset: 0, byteStride };
  }

  isFinal(index: number): boolean {
    return this.#final.has(index);
  }

  /** Not after a failure: something may be on its way there. */
  release(): void {
    for (const memory of this.#lent) giveWorkingMemory(memory);
  }
}

function packedOutput({ itemBytes }: DTypeInfo, count: number): GatherOutput | null {
  const [bytes] = itemBytes === 0 ? [] : allocateOutputs([itemBytes * count]);
  return bytes === undefined ? null : { bytes, byteOffset: 0, byteStride: itemBytes };
}

/** A chunk of packed items in the memory, or of texts in the form, that the request asks for. */
function handed(chunk: Chunk, info: DTypeInfo, request: ReadRequest, index: number): Chunk {
  const output = request.outputs[index] ?? null;
  if (chunk.kind === 'fixed' && output !== null) {
    copyItemsTo(chunk.bytes, info.itemBytes, chunk.rowCount, output);
    return writtenChunk(output, chunk.rowCount, chunk.validity);
  }
  if (chunk.kind !== 'values' || request.strings !== 'dictionary' || info.kind !== 'string') return chunk;
  const codeOf = new Map<string, number>();
  const { rowCount, validity } = chunk;
  const texts = chunk.values as readonly string[];
  const codes = new Int32Array(texts.length).fill(-1);
  for (let row = 0; row < texts.length; row++) {
    if (!isValid(validity, row)) continue;
    const text = texts[row] as string;
    let code = codeOf.get(text);
    if (code === undefined) codeOf.set(text, (code = codeOf.size));
    codes[row] = code;
  }
  return { kind: 'dictionary', rowCount, codes, dictionary: [...codeOf.keys()], validity };
}
