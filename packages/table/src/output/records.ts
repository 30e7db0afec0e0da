// A view -> packed records: the source scatters every column straight into its fields of one buffer.
import { ArgumentError, UnsupportedError, allocateOutputs } from '@colkit/io';
import type { TableTypes } from '../schema.ts';
import type { GatherOutput } from '@colkit/io';
import { perform, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import type { ReadRequest } from '../source.ts';
import { resolveRows } from '../views/resolve.ts';
import type { View } from '../views/view.ts';
import type { RecordOptions } from './options.ts';
import { makeRequest, selectedRows } from './reading/request.ts';
import { requireOpen } from './require-open.ts';
import { RecordBatch } from './record-batch.ts';
import type { RecordField } from './record-batch.ts';
import { settleView } from './settle.ts';

interface RecordsRead {
  readonly request: ReadRequest;
  readonly fields: readonly RecordField[];
  readonly rowCount: number;
  readonly byteStride: number;
  readonly bytes: Uint8Array;
}

export function* readRecords<S extends TableTypes>(
  from: View,
  operation: string,
  options: RecordOptions = {},
): Work<RecordBatch<S>> {
  const view = yield* settleView(from, operation);
  const read = prepareRecords(view, operation, options);
  const chunks = yield* perform(view.source.read(read.request));
  yield TURN;
  return finishRecords<S>(read, chunks);
}

function prepareRecords(view: View, operation: string, options: RecordOptions): RecordsRead {
  const { source, projection } = view;
  requireOpen(source, operation);
  let byteStride = 0;
  const fields = projection.columns.map(({ field, info: { itemBytes } }) => {
    if (itemBytes === 0) {
      throw new UnsupportedError(
        'ERR_DTYPE',
        field.dtype,
        `${operation}: column ${JSON.stringify(field.name)} is ${field.dtype}, which has no fixed width; drop() ` +
          'it, or use toColumns() or toRows()',
      );
    }
    const byteOffset = byteStride;
    byteStride += itemBytes;
    return { ...field, byteOffset };
  });
  const rows = resolveRows(view.rows);
  const rowCount = selectedRows(rows);
  const [bytes = new Uint8Array(0)] = allocateOutputs([rowCount * byteStride], {
    transferable: options.transferable === true,
  });
  const outputs: GatherOutput[] = fields.map(({ byteOffset }) => ({ bytes, byteOffset, byteStride }));
  return {
    request: makeRequest(view, rows, outputs, 'values', options.transferable === true),
    fields,
    rowCount,
    byteStride,
    bytes,
  };
}

function finishRecords<S extends TableTypes>(
  { fields, rowCount, byteStride, bytes }: RecordsRead,
  chunks: readonly Chunk[],
): RecordBatch<S> {
  const validity = new Map<string, Uint8Array>();
  for (const [position, field] of fields.entries()) {
    const chunk = chunks[position];
    if (chunk === undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'source', `${String(fields.length)} chunks`, String(chunks.length));
    if (chunk.validity !== null) validity.set(field.name, chunk.validity);
  }
  return new RecordBatch<S>({ fields, rowCount, bytes, byteStride, validity });
}
