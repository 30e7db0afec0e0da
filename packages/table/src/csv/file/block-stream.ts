// A file -> its blocks, parsed wherever the lanes are, some ahead of others, and handed out in the order of the file.
// Blocks are cut before it is known where rows end: a block that was parsed tells whether its last row ended where it
// was cut. Where it did not (a line break in quotes, among quotes that are odd in number), what was parsed behind it is
// given up and parsed again.
import { LimitError } from '@colkit/io';
import type { DType, RandomAccessSource } from '@colkit/io';
import type { BlockTask, ParsedBlock } from '../blocks/block-parser.ts';
import { LONGEST_ROW } from './csv-head.ts';
import { lastRowEnd } from './row-cut.ts';

/** Where blocks are parsed: on this thread or on others. */
export interface BlockLanes {
  /** How many blocks should be under way at once: more than one where there are other threads. */
  readonly ahead: number;
  /** Whether blocks are parsed by threads that see shared memory: they are read into such, and none is sent. */
  readonly sharesMemory: boolean;
  /** The bytes are the caller's again once it has the answer. */
  parse(task: BlockTask): Promise<ParsedBlock>;
}

/** What is known of the columns when a block is begun. */
export interface Expectation {
  readonly dtypes: readonly DType[] | null;
  readonly types: readonly number[];
}

export interface FileBlock extends ParsedBlock {
  readonly byteOffset: number;
  /** What was known when it was begun. */
  readonly dtypes: readonly DType[] | null;
}

interface StreamStart {
  readonly source: RandomAccessSource;
  readonly path: string;
  readonly quote: number;
  readonly byteOffset: number;
  /** Lines before the first block. */
  readonly lines: number;
  readonly signal: AbortSignal | null;
}

interface Begun {
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Whether the block was cut where its rows seem to end, and the next one begun there. */
  readonly cut: boolean;
  readonly final: boolean;
  /** What it was read into: free once it is parsed. */
  readonly memory: Uint8Array;
  readonly dtypes: readonly DType[] | null;
  readonly parsed: Promise<ParsedBlock>;
}

/** After a wrong cut, so many blocks are each waited for before the next one is begun. */
const CAUTIOUS_BLOCKS = 16;

export async function* parseBlocks(
  start: StreamStart,
  lanes: BlockLanes,
  expect: () => Expectation,
  blockBytes: number,
): AsyncGenerator<FileBlock, void, undefined> {
  const { source, path, quote, signal } = start;
  const begun: Begun[] = [];
  const spare: Uint8Array[] = [];
  let { byteOffset, lines } = start;
  let size = blockBytes;
  let cautious = 0;
  const mayBegin = (): boolean =>
    byteOffset < source.byteLength && begun.length < lanes.ahead && begun.at(-1)?.cut !== false;
  for (;;) {
    while (mayBegin()) {
      const length = Math.min(size, source.byteLength - byteOffset);
      const kept = spare.pop();
      const memory = kept === undefined || kept.length < length ? blockMemory(length, lanes) : kept;
      const bytes = memory.subarray(0, length);
      await source.read(byteOffset, bytes, signal ?? undefined);
      const final = byteOffset + bytes.length === source.byteLength;
      const end = final || cautious > 0 || lanes.ahead < 2 ? 0 : lastRowEnd(bytes, quote);
      const cut = end > 0 || final;
      const { dtypes, types } = expect();
      const parsed = lanes.parse({ bytes: end > 0 ? bytes.subarray(0, end) : bytes, final, dtypes, types });
      // It is waited for in its turn; until then its failure is nobody's.
      parsed.catch(() => undefined);
      begun.push({ byteOffset, byteLength: end > 0 ? end : bytes.length, cut, final, memory, dtypes, parsed });
      byteOffset += end > 0 ? end : bytes.length;
    }
    const first = begun.shift();
    if (first === undefined) return;
    const block = await first.parsed;
    spare.push(first.memory);
    signal?.throwIfAborted();
    const isWhole = block.byteLength === first.byteLength;
    if (!isWhole) {
      if (first.cut) cautious = CAUTIOUS_BLOCKS + 1;
      begun.length = 0;
      byteOffset = first.byteOffset + block.byteLength;
    }
    if (cautious > 0) cautious -= 1;
    if (block.byteLength === 0 && !first.final) {
      if (size >= LONGEST_ROW)
        throw new LimitError('ERR_LIMIT', `${path}: bytes of the row on line ${String(lines + 1)}`, LONGEST_ROW, size);
      size *= 2;
      continue;
    }
    size = blockBytes;
    lines += block.lineCount;
    yield { ...block, byteOffset: first.byteOffset, dtypes: first.dtypes };
  }
}

/** To read a block into. */
export function blockMemory(byteLength: number, { sharesMemory }: BlockLanes): Uint8Array {
  return new Uint8Array(sharesMemory ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength));
}
