// Some rows of a source -> the values of predicate columns, in memory that is used again for every batch. The request
// and its result are apart, so that the next batch can be on its way while one is evaluated.
import { ArgumentError, dtypeFacts, typedArrayOver } from '@colkit/io';
import type { GatherOutput, RowSelection } from '@colkit/io';
import type { ColumnData, ReadRequest } from '../../source.ts';
import type { ColumnRef } from '../bound-predicate.ts';
import { floatsOfHalves } from '../kernels/halves.ts';
import type { BatchColumn } from './predicate-batch.ts';

/** Memory of one batch: the bytes of fixed-width columns by number. */
export type BatchMemory = Map<number, Uint8Array<ArrayBuffer>>;

export function predicateRequest(
  refs: readonly ColumnRef[],
  rows: RowSelection,
  count: number,
  memory: BatchMemory,
): ReadRequest {
  const outputs = refs.map(({ number, info: { itemBytes } }): GatherOutput | null => {
    if (itemBytes === 0) return null;
    let bytes = memory.get(number);
    if (bytes === undefined || bytes.length < itemBytes * count)
      memory.set(number, (bytes = new Uint8Array(itemBytes * count)));
    return {
      bytes: bytes.length === itemBytes * count ? bytes : bytes.subarray(0, itemBytes * count),
      byteOffset: 0,
      byteStride: itemBytes,
    };
  });
  return { columns: refs.map(({ number }) => number), rows, outputs, strings: 'dictionary' };
}

export function batchColumns(
  refs: readonly ColumnRef[],
  request: ReadRequest,
  data: readonly ColumnData[],
  into: Map<number, BatchColumn>,
): void {
  for (const [position, ref] of refs.entries()) {
    const given = data[position];
    if (given === undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'source', `data of ${String(refs.length)} columns`, String(data.length));
    into.set(ref.number, batchColumn(ref, given, request.outputs[position]?.bytes ?? null));
  }
}

function batchColumn({ info }: ColumnRef, data: ColumnData, bytes: Uint8Array | null): BatchColumn {
  const { validity } = data;
  if (data.kind === 'dictionary')
    return { kind: 'dictionary', codes: data.codes, dictionary: data.dictionary, validity };
  if (data.kind === 'values') {
    return info.kind === 'binary'
      ? { kind: 'binary', values: data.values as readonly Uint8Array[], validity }
      : { kind: 'text', values: data.values as readonly string[], validity };
  }
  if (bytes === null)
    throw new ArgumentError('ERR_ARGUMENT', 'source', 'values of a variable-width column', 'fixed-width items');
  if (!dtypeFacts(info).hasArray) return { kind: 'items', bytes, validity };
  // The half-precision array of older runtimes is slow to index.
  if (info.name === 'float16') return { kind: 'array', values: floatsOfHalves(bytes), validity };
  return { kind: 'array', values: typedArrayOver(info, bytes), validity };
}
