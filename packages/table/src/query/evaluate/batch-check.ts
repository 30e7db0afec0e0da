// Whether a batch holds what a predicate reads, in forms and lengths that its columns have: checked once a batch, so
// that the kernels need not.
import { ArgumentError } from '@colkit/io';
import type { ColumnRef } from '../bound-predicate.ts';
import type { BatchColumn, PredicateBatch } from './predicate-batch.ts';

/** @throws ArgumentError naming the column. */
export function checkBatch(refs: readonly ColumnRef[], { rowCount, columns }: PredicateBatch): void {
  for (const ref of refs) {
    const column = columns.get(ref.number);
    if (column === undefined || !fits(ref, column))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'batch',
        `values of ${ref.info.name} for column ${JSON.stringify(ref.name)}`,
        column === undefined ? 'none' : `the form '${column.kind}'`,
      );
    if (lengthOf(ref, column) < rowCount || (column.validity !== null && 8 * column.validity.length < rowCount)) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'batch',
        `${String(rowCount)} rows of column ${JSON.stringify(ref.name)}`,
        String(lengthOf(ref, column)),
      );
    }
  }
}

/** @throws ArgumentError unless they ascend within the batch. */
export function checkRows(rows: Int32Array, rowCount: number): void {
  let last = -1;
  for (const row of rows) {
    if (row <= last || row >= rowCount)
      throw new ArgumentError('ERR_ARGUMENT', 'rows', `ascending rows below ${String(rowCount)}`, String(row));
    last = row;
  }
}

function fits({ info }: ColumnRef, column: BatchColumn): boolean {
  switch (info.kind) {
    case 'bool':
    case 'float':
      return column.kind === 'array' && !isWide(column.values)
        ? info.name !== 'float128'
        : column.kind === 'items' && info.name === 'float128';
    case 'int':
    case 'uint':
      return (
        column.kind === 'array' &&
        isWide(column.values) === (info.itemBytes === 8) &&
        (!isWide(column.values) || column.values instanceof BigUint64Array === (info.kind === 'uint'))
      );
    case 'datetime':
    case 'timedelta':
      return column.kind === 'array' && column.values instanceof BigInt64Array;
    case 'bytes':
    case 'unicode':
      return column.kind === 'items' || column.kind === 'text' || column.kind === 'dictionary';
    case 'string':
      return column.kind === 'text' || column.kind === 'dictionary';
    case 'binary':
      return column.kind === 'binary';
  }
}

function isWide(values: Extract<BatchColumn, { kind: 'array' }>['values']): boolean {
  return values instanceof BigInt64Array || values instanceof BigUint64Array;
}

function lengthOf({ info }: ColumnRef, column: BatchColumn): number {
  switch (column.kind) {
    case 'items':
      return Math.floor(column.bytes.length / Math.max(1, info.itemBytes));
    case 'dictionary':
      return column.codes.length;
    case 'array':
    case 'text':
    case 'binary':
      return column.values.length;
  }
}
