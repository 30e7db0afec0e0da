// A read of a table of parts -> reads of its parts: some at a time are under way in the awaiting form. Where the rows
// do not come out part by part, they are read part by part into memory of their own, and put in their order at the end.
import { MemorySource, allocateOutputs, createGatherer, isVariableText, parseDType } from '@colkit/io';
import type { GatherOutput } from '@colkit/io';
import { TURN, begin, operationOf, perform, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { ChunkJoiner } from '../chunk/chunk-joiner.ts';
import type { ReadRequest } from '../source.ts';
import { arrangeChunk, joinChunks } from './join-chunks.ts';
import type { OpenParts } from './open-parts.ts';
import type { PartRead, Route } from './routes.ts';

/** Parts that are read at the same time. */
const READ_AHEAD = 8;

export function* readParts(
  parts: OpenParts,
  fields: readonly Field[],
  request: ReadRequest,
  { count, reads, positions }: Route,
): Work<readonly Chunk[]> {
  const outputs = positions === null ? request.outputs : unorderedOutputs(fields, request, count);
  const found: (readonly Chunk[])[] = [];
  const ahead: Begun<readonly Chunk[]>[] = [];
  const ask = (read: PartRead): Work<readonly Chunk[]> => readPart(parts, read, partRequest(request, outputs, read));
  for (const [number, read] of reads.entries()) {
    if (reads.length === 1) found.push(yield* ask(read));
    else ahead.push(yield* begin(operationOf(() => ask(read))));
    if (ahead.length < READ_AHEAD && number < reads.length - 1) continue;
    // Of the last one on, all that are under way.
    for (let left = number === reads.length - 1 ? ahead.length : 1; left > 0; left -= 1)
      found.push(yield* wait(ahead.shift() as Begun<readonly Chunk[]>));
  }
  yield TURN;
  const joined = request.columns.map((column, index) => {
    if (reads.length === 0) return emptyChunk(fields[column] as Field, request.strings);
    return joinChunks(
      found.map((chunks) => chunks[index] as Chunk),
      count,
      outputs[index] ?? null,
    );
  });
  if (positions === null) return joined;
  arrangeItems(fields, request, outputs, positions);
  return joined.map((chunk, index) => arrangeChunk(chunk, positions, request.outputs[index] ?? null));
}

function* readPart(parts: OpenParts, read: PartRead, request: ReadRequest): Work<readonly Chunk[]> {
  return yield* parts.use(read.part, (table) => perform(table.read(request)));
}

function partRequest(request: ReadRequest, outputs: ReadRequest['outputs'], { rows, start }: PartRead): ReadRequest {
  return {
    ...request,
    rows,
    outputs: outputs.map((output) =>
      output === null || start === 0
        ? output
        : { ...output, byteOffset: output.byteOffset + start * output.byteStride },
    ),
  };
}

function emptyChunk({ dtype }: Field, strings: ReadRequest['strings']): Chunk {
  const info = parseDType(dtype);
  return isVariableText(info) && strings === 'dictionary'
    ? { kind: 'dictionary', rowCount: 0, codes: new Int32Array(0), dictionary: [], validity: null }
    : new ChunkJoiner(info.itemBytes).take();
}

function unorderedOutputs(fields: readonly Field[], request: ReadRequest, count: number): ReadRequest['outputs'] {
  const widths = request.columns.map((column, index) => {
    return request.outputs[index] == null ? 0 : parseDType((fields[column] as Field).dtype).itemBytes;
  });
  const bytes = allocateOutputs(widths.map((width) => width * count));
  return widths.map((width, index) =>
    width === 0 ? null : { bytes: bytes[index] as Uint8Array, byteOffset: 0, byteStride: width },
  );
}

/** Items as they were read -> the outputs, in the order of `positions`. */
function arrangeItems(
  fields: readonly Field[],
  request: ReadRequest,
  read: ReadRequest['outputs'],
  positions: Int32Array,
): void {
  for (const [index, column] of request.columns.entries()) {
    const [from, to] = [read[index] ?? null, request.outputs[index] ?? null];
    if (from === null || to === null) continue;
    const segments = {
      rowStarts: Float64Array.of(0, positions.length),
      itemBytes: Int32Array.of(parseDType((fields[column] as Field).dtype).itemBytes),
      bases: Float64Array.of(0),
    };
    const outputs: readonly GatherOutput[] = [to];
    const rows = { kind: 'indices', indices: positions } as const;
    createGatherer(new MemorySource(from.bytes), segments).gatherSync({ columns: Int32Array.of(0), rows, outputs });
  }
}
