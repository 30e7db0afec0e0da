// Groups by columns that are computed of one stored column each -> groups by the stored ones: a source that can group
// by its own columns does so, and keys are computed of the values that differ, not row by row.
import { allocateOutputs, arrayTypeOf } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { ValueReader, domainOf } from '../aggregate/column-values.ts';
import type { ColumnValues } from '../aggregate/column-values.ts';
import type { Aggregation } from '../aggregate/aggregation.ts';
import type { ComputedKeys } from '../aggregate/keys/key-ranges.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';

/** A column that is computed of values in the same row. */
export interface KeyColumn {
  readonly info: DTypeInfo;
  readonly refs: readonly ColumnRef[];
  /** So many integers or ticks of one column, from each multiple of that on, have the same value. */
  readonly width: bigint;
  /** Null of functions, which see what their rows have. */
  readonly ofValues: ((columns: ReadonlyMap<number, Chunk>, count: number) => Chunk) | null;
}

/**
 * The same aggregation for the source of the stored columns; null where some of what it needs is no column of these, or
 * of none alone.
 * @param computedOf null for a stored column.
 */
export function overStored(
  aggregation: Aggregation<ColumnRef>,
  computedOf: (column: ColumnRef) => KeyColumn | null,
): Aggregation<ColumnRef> | null {
  if (aggregation.running.some(({ column }) => column !== null && computedOf(column) !== null)) return null;
  const by: ColumnRef[] = [];
  const computed: (ComputedKeys | null)[] = [];
  for (const column of aggregation.by) {
    const own = computedOf(column);
    const ref = own === null ? column : storedOf(own, computedOf);
    if (ref === null || by.some(({ number }) => number === ref.number)) return null;
    by.push(ref);
    computed.push(own === null ? null : computeKeys(own, ref));
  }
  return aggregation.computedBy(by, computed);
}

/** The one stored column whose values are told apart as the computed ones ask; null where there is none. */
function storedOf(
  { refs, ofValues }: KeyColumn,
  computedOf: (column: ColumnRef) => KeyColumn | null,
): ColumnRef | null {
  const [ref] = refs;
  if (ofValues === null || ref === undefined || refs.some(({ number }) => number !== ref.number)) return null;
  if (computedOf(ref) !== null) return null;
  switch (domainOf(ref.info)) {
    case 'bool':
    case 'integers':
    case 'wide':
    case 'ticks':
      return ref;
    default:
      // Groups by floats do not tell 0 from -0; of texts there are codes.
      return null;
  }
}

function computeKeys({ info, width, ofValues }: KeyColumn, { number, info: of }: ColumnRef): ComputedKeys {
  const reader = new ValueReader(info);
  const compute = (values: ColumnValues, rowCount: number): ColumnValues => {
    const stored: Chunk = {
      kind: 'fixed',
      rowCount,
      bytes: bytesOf(values, of, rowCount),
      validity: values.validity,
    };
    return reader.read((ofValues as NonNullable<typeof ofValues>)(new Map([[number, stored]]), rowCount));
  };
  return { of, width: domainOf(of) === 'bool' ? null : width, compute };
}

/** Items as a chunk has them. */
function bytesOf(values: ColumnValues, info: DTypeInfo, rowCount: number): Uint8Array {
  if (values.kind === 'words') {
    const bytes = new Uint8Array(values.words.buffer, values.words.byteOffset, 8 * rowCount);
    return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  }
  const [bytes] = allocateOutputs([info.itemBytes * rowCount]) as [Uint8Array];
  const items = new (arrayTypeOf(info) as Uint8ArrayConstructor)(bytes.buffer, bytes.byteOffset, rowCount);
  if (values.kind === 'numbers') items.set(values.numbers);
  return bytes;
}
