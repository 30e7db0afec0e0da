// A bound predicate and one batch after the other -> the rows that match. Terms of an `and` see only the rows that the
// terms before them left, terms of an `or` only those that are not in yet. Buffers are reused from batch to batch.
import { ArgumentError, assertNever } from '@colkit/io';
import { isColumnLeaf } from '../bound-predicate.ts';
import type { BoundNode, BoundPredicate, BoundValue, ColumnLeaf, ColumnRef, GeneralLeaf } from '../bound-predicate.ts';
import { checkBatch, checkRows } from './batch-check.ts';
import { selectCompared } from './compare-vectors.ts';
import { computeCall } from './call-vector.ts';
import { compute } from './compute.ts';
import { isDatePart } from '../functions.ts';
import { copyRows, selectByMark } from '../kernels/row-sets.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { rowLabel } from './predicate-batch.ts';
import type { PredicateBatch } from './predicate-batch.ts';
import { selectLeaf } from './select-leaf.ts';
import { selectListed } from './select-listed.ts';
import type { DictionaryMarks, RowSet } from './select-leaf.ts';
import { storedDatePart } from './stored-date-parts.ts';
import { VectorRoom } from './vector-room.ts';
import { columnVector, constantVector, rowAt } from './vectors.ts';
import type { Vector } from './vectors.ts';

export class BatchSelector {
  readonly #predicate: BoundPredicate;
  readonly #marks: DictionaryMarks = new WeakMap();
  readonly #buffers: Int32Array[] = [];
  readonly #room = new VectorRoom();
  #out = new Int32Array(0);

  constructor(predicate: BoundPredicate) {
    this.#predicate = predicate;
  }

  /**
   * The rows of the batch that match, ascending; good until the next call.
   * @param rows only these (ascending row numbers of the batch, which are checked); absent: all.
   * @throws ArgumentError for a batch that lacks a column or holds it in a form that its dtype does not have.
   */
  select(batch: PredicateBatch, rows?: Int32Array): Int32Array {
    const count = rows?.length ?? batch.rowCount;
    if (rows !== undefined) checkRows(rows, batch.rowCount);
    checkBatch(this.#predicate.refs, batch);
    this.#room.reset();
    if (this.#out.length < count) this.#out = new Int32Array(count);
    return this.#out.subarray(0, this.#node(this.#predicate.root, batch, { rows: rows ?? null, count }, this.#out));
  }

  /** The same as one byte a row: 1 where it matches. New memory. */
  mask(batch: PredicateBatch): Uint8Array {
    const mask = new Uint8Array(batch.rowCount);
    const rows = this.select(batch);
    for (let index = 0; index < rows.length; index += 1) mask[rows[index] as number] = 1;
    return mask;
  }

  /**
   * A value for every row of the batch; good until the next call, and not to be written to.
   * @throws as `select`; ArgumentError ERR_VALUE for what a cast cannot hold.
   */
  values(value: BoundValue, batch: PredicateBatch): Vector {
    checkBatch(this.#predicate.refs, batch);
    this.#room.reset();
    return this.#value(value, batch, { rows: null, count: batch.rowCount }, false);
  }

  /** `out` may be `from.rows`. */
  #node(node: BoundNode, batch: PredicateBatch, from: RowSet, out: Int32Array): number {
    if (from.count === 0) return 0;
    switch (node.kind) {
      case 'constant':
        return node.matches ? copyRows(from.rows, from.count, out) : 0;
      case 'and':
        return this.#all(node.terms, batch, from, out);
      case 'or':
        return this.#any(node.terms, batch, from, out);
      case 'not':
        return this.#leaf(node.term, true, batch, from, out);
      case 'compare':
      case 'between':
      case 'in':
      case 'startsWith':
      case 'like':
      case 'isNull':
      case 'compareValues':
      case 'inValues':
      case 'isNullValue':
        return this.#leaf(node, false, batch, from, out);
      default:
        return assertNever(node);
    }
  }

  #all(terms: readonly BoundNode[], batch: PredicateBatch, from: RowSet, out: Int32Array): number {
    let left = from;
    for (const term of terms) left = { rows: out, count: this.#node(term, batch, left, out) };
    return left.count;
  }

  #any(terms: readonly BoundNode[], batch: PredicateBatch, from: RowSet, out: Int32Array): number {
    const marks = new Uint8Array(batch.rowCount);
    const [waiting, found] = [this.#take(from.count), this.#take(from.count)];
    let count = copyRows(from.rows, from.count, waiting);
    for (const term of terms) {
      const hits = this.#node(term, batch, { rows: waiting, count }, found);
      for (let index = 0; index < hits; index += 1) marks[found[index] as number] = 1;
      count = selectByMark(marks, 0, waiting, count, waiting);
    }
    this.#buffers.push(waiting, found);
    return selectByMark(marks, 1, from.rows, from.count, out);
  }

  #leaf(
    leaf: ColumnLeaf | GeneralLeaf,
    negated: boolean,
    batch: PredicateBatch,
    from: RowSet,
    out: Int32Array,
  ): number {
    if (!isColumnLeaf(leaf)) {
      const { mark } = this.#room;
      const count = this.#general(leaf, negated, batch, from, out);
      this.#room.release(mark, null);
      return count;
    }
    return selectLeaf(leaf, negated, columnOf(leaf.column, batch), from, out, this.#marks);
  }

  #general(leaf: GeneralLeaf, negated: boolean, batch: PredicateBatch, from: RowSet, out: Int32Array): number {
    const flip = negated ? 1 : 0;
    switch (leaf.kind) {
      case 'compareValues': {
        const scaled = differInUnit(leaf.left, leaf.right);
        const left = this.#value(leaf.left, batch, from, scaled);
        const right = this.#value(leaf.right, batch, from, scaled);
        return selectCompared(leaf.op, left, right, flip, from, out);
      }
      case 'inValues':
        return selectListed(leaf, this.#value(leaf.value, batch, from, false), flip, from, out);
      case 'isNullValue': {
        const { nulls } = this.#value(leaf.value, batch, from, false);
        return selectWhere(from, out, (index) => (nulls?.[index] === 1) !== negated);
      }
      default:
        return assertNever(leaf);
    }
  }

  /** What it is computed of is free again. */
  #value(value: BoundValue, batch: PredicateBatch, from: RowSet, scaled: boolean): Vector {
    const { mark } = this.#room;
    const vector = this.#computed(value, batch, from, scaled);
    this.#room.release(mark, vector.kind === 'numbers' ? vector.values : null);
    return vector;
  }

  #computed(value: BoundValue, batch: PredicateBatch, from: RowSet, scaled: boolean): Vector {
    switch (value.kind) {
      case 'literal':
        return constantVector(value.value, from.count, this.#room);
      case 'column':
        return columnVector(value.column, columnOf(value.column, batch), from, scaled, this.#room);
      case 'arithmetic':
        return compute(
          value.op,
          value.type,
          this.#value(value.left, batch, from, false),
          this.#value(value.right, batch, from, false),
          from.count,
          this.#room,
        );
      case 'call':
        return this.#call(value, batch, from);
      case 'truth':
        return this.#truth(value, batch, from);
      default:
        return assertNever(value);
    }
  }

  #call(value: Extract<BoundValue, { kind: 'call' }>, batch: PredicateBatch, from: RowSet): Vector {
    const [first] = value.args;
    const known =
      isDatePart(value.name) && first?.kind === 'column'
        ? storedDatePart(value.name, first.column, columnOf(first.column, batch), from, this.#room)
        : null;
    if (known !== null) return known;
    const args = value.args.map((each) => this.#value(each, batch, from, false));
    return computeCall(value, args, from.count, (row) => rowLabel(batch, rowAt(from, row)));
  }

  #truth(value: Extract<BoundValue, { kind: 'truth' }>, batch: PredicateBatch, from: RowSet): Vector {
    const values = new Float64Array(from.count);
    const nulls = new Uint8Array(from.count).fill(1);
    for (const [node, truth] of [
      [value.whenTrue, 1],
      [value.whenFalse, 0],
    ] as const) {
      const found = this.#take(from.count);
      const hits = this.#node(node, batch, from, found);
      for (let index = 0, hit = 0; hit < hits; index += 1) {
        if (rowAt(from, index) !== found[hit]) continue;
        values[index] = truth;
        nulls[index] = 0;
        hit += 1;
      }
      this.#buffers.push(found);
    }
    return { kind: 'numbers', values, most: 1, nulls };
  }

  #take(count: number): Int32Array {
    const buffer = this.#buffers.pop();
    return buffer !== undefined && buffer.length >= count ? buffer : new Int32Array(count);
  }
}

function selectWhere(from: RowSet, out: Int32Array, test: (index: number) => boolean): number {
  let used = 0;
  for (let index = 0; index < from.count; index += 1) {
    const row = rowAt(from, index);
    if (test(index)) out[used++] = row;
  }
  return used;
}

function columnOf({ number, name }: ColumnRef, { columns }: PredicateBatch): Chunk {
  const column = columns.get(number);
  if (column === undefined)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'batch',
      `values of column ${JSON.stringify(name)} (number ${String(number)})`,
      'none',
    );
  return column;
}

function differInUnit(left: BoundValue, right: BoundValue): boolean {
  return left.kind === 'column' && right.kind === 'column' && left.column.info.name !== right.column.info.name;
}
