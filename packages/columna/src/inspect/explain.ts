// A described chunk -> the same with what every encoding would have taken: the values are decoded and sized again by
// the writer's own functions, since the file does not store what lost.
import { readBytes, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Chunk } from '@colkit/table';
import { loadDeflating } from '../columns/deflating/deflating.ts';
import { openPage } from '../columns/decode-page.ts';
import { Scratch } from '../columns/scratch.ts';
import { rowsOfPage } from '../layout/footer.ts';
import { readRows } from '../read/pages/read-rows.ts';
import type { StoredFile } from '../read/file/stored-file.ts';
import { encoderValues } from '../write/values/column-plan.ts';
import type { ColumnValues } from '../write/values/column-values.ts';
import { chunkBytes, encodeChunk } from '../write/encode/encode-chunk.ts';
import type { PageReport } from '../write/encode/encode-page.ts';
import type { Choice, InspectedChunk, InspectedPage } from './inspected-file.ts';
import { nodeLabel } from './node-label.ts';
import { whyJoint, whySentence } from './why.ts';

interface ExplainedChunk {
  readonly chunk: InspectedChunk;
  /** Bytes of the chunk when it is written on its own. */
  readonly alone: number;
}

/**
 * The chunks of one row group with their choices. Decodes and encodes every one of them: about as long as writing
 * takes.
 */
export function* explainChunks(
  file: StoredFile,
  group: number,
  columns: readonly number[],
  chunks: readonly InspectedChunk[],
): Work<InspectedChunk[]> {
  yield* loadDeflating();
  const explained: ExplainedChunk[] = [];
  for (const [index, column] of columns.entries())
    explained.push(yield* explainChunk(file, group, column, chunks[index] as InspectedChunk));
  return explained.map(({ chunk }) => (chunk.joint ? { ...chunk, whyJoint: jointReason(chunk, explained) } : chunk));
}

function jointReason(chunk: InspectedChunk, all: readonly ExplainedChunk[]): string {
  const leader = chunk.codesOf ?? chunk.column;
  const members = all.filter((each) => each.chunk.joint && (each.chunk.codesOf ?? each.chunk.column) === leader);
  const sum = (of: (each: ExplainedChunk) => number) => members.reduce((total, each) => total + of(each), 0);
  return whyJoint(
    members.map((each) => each.chunk.column),
    sum((each) => each.alone),
    sum((each) => each.chunk.byteLength),
  );
}

function* explainChunk(file: StoredFile, group: number, column: number, chunk: InspectedChunk): Work<ExplainedChunk> {
  const { pageRows } = file.group(group);
  if (isInflated(chunk)) return { chunk, alone: chunk.byteLength };
  const values = yield* chunkValues(file, group, column);
  if (values === null) return { chunk, alone: chunk.byteLength };
  const encoded = encodeChunk(values, column, pageRows, { mode: 'default', encoding: null });
  yield TURN;
  const pages: InspectedPage[] = [];
  const start = chunk.pages[0]?.byteOffset ?? 0;
  const last = chunk.pages.at(-1);
  const bytes =
    last === undefined ? null : yield* readBytes(file.source, start, last.byteOffset + last.byteLength - start);
  for (const [number, page] of chunk.pages.entries()) {
    const at = page.byteOffset - start;
    const own = (bytes as Uint8Array).subarray(at, at + page.byteLength);
    const choice = explainPage(file, group, column, number, page, own, encoded.pages[number]?.report);
    pages.push({ ...page, choice });
  }
  return { chunk: { ...chunk, pages }, alone: chunkBytes(encoded) };
}

function explainPage(
  file: StoredFile,
  group: number,
  column: number,
  number: number,
  page: InspectedPage,
  bytes: Uint8Array,
  report: PageReport | undefined,
): Choice | null {
  const { byteOffset, codec, bodyBytes, storedBytes } = page;
  const { type } = file.column(column);
  const { limits, verifyCrc } = file.options;
  const expected = {
    kind: 'data',
    type,
    columnNumber: column,
    rowCount: rowsOfPage(file.group(group), number),
    maxBodyBytes: limits.maxPageBytes,
  } as const;
  const { root, decoder } = openPage(bytes, {
    expected,
    verifyCrc,
    location: file.location('page', byteOffset, column, group, number),
    scratch: new Scratch(0),
    dictionary: null,
  });
  if (root === null) return null;
  const isJoint = file.chunk(column, group).entry.joint;
  const encoding = isJoint ? `JOINT ${nodeLabel(root, decoder)}` : nodeLabel(root, decoder);
  const nodeBytes = root.end - root.start;
  const sized = report?.candidates ?? [];
  const own = sized.some((candidate) => candidate.encoding === encoding)
    ? []
    : [{ encoding, bytes: nodeBytes, estimated: false }];
  const candidates = [...own, ...sized].sort((a, b) => a.bytes - b.bytes);
  const why = isJoint
    ? 'codes of a dictionary that it shares with other columns'
    : whySentence({ encoding, bytes: nodeBytes, codec, bodyBytes, storedBytes }, candidates);
  return { encoding, bytes: nodeBytes, candidates, why };
}

/** All values of a chunk, as the encoder takes them; null where it would take too long over them. */
function* chunkValues(file: StoredFile, group: number, column: number): Work<ColumnValues | null> {
  const { type } = file.column(column);
  const { firstRow, rowCount } = file.group(group);
  const bytes = new Uint8Array(rowCount * type.itemBytes);
  const outputs = [type.itemBytes === 0 ? null : { bytes, byteOffset: 0, byteStride: type.itemBytes }];
  const rows = { kind: 'range', start: firstRow, step: 1, count: rowCount } as const;
  const [chunk] = yield* readRows(file, { columns: [column], rows, outputs, strings: 'values' });
  if (chunk?.kind === 'values' && valueBytes(chunk.values) > MOST_EXPLAINED_BYTES) return null;
  return encoderValues(type, chunk as Chunk);
}

/** Whether a few bytes became very many: such values are long and alike, and encoding them again would take minutes. */
function isInflated({ byteLength, dictionary, pages }: InspectedChunk): boolean {
  const body = pages.reduce((sum, { bodyBytes }) => sum + bodyBytes, dictionary?.bodyBytes ?? 0);
  return body > MOST_INFLATED_BYTES && body > INFLATED_RATIO * byteLength;
}

const MOST_INFLATED_BYTES = 4 * 1024 * 1024;
const INFLATED_RATIO = 64;

/** Texts of a chunk beyond this are not encoded again: a few bytes of a file may stand for gigabytes of them. */
const MOST_EXPLAINED_BYTES = 256 * 1024 * 1024;

function valueBytes(values: readonly unknown[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
  return bytes;
}
