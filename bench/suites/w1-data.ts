// W1's raw files: five columns, and the rows that its tasks ask for. Seeded; the peers read these files whatever their
// own format is.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteContext } from '../src/checkouts/peer.ts';
import type { Progress } from '../src/run/progress.ts';
import { uniform } from './uniform.ts';

export interface W1Columns {
  readonly price: Float64Array;
  readonly qty: Int32Array;
  readonly ts: BigInt64Array;
  readonly score: Float32Array;
  readonly flag: Uint8Array;
}

export const COLUMN_NAMES = ['price', 'qty', 'ts', 'score', 'flag'] as const;
/** Numpy's names of the columns' types, in their order: what opening a file must tell. */
export const COLUMN_DTYPES = ['float64', 'int32', 'int64', 'float32', 'uint8'] as const;

export interface W1Inputs {
  readonly rowCount: number;
  /** Random rows with repeats, and the same sorted. */
  readonly random: Int32Array;
  readonly sorted: Int32Array;
  /** Many sets of a few random rows: each run takes the next one, so that no set stays in the processor's caches. */
  readonly smallSets: readonly Int32Array[];
  /** One byte a row, one in ten is 1. */
  readonly mask: Uint8Array;
  readonly slice: { readonly start: number; readonly end: number };
}

const CHUNK_ROWS = 1 << 20;

export function columnPath(directory: string, name: (typeof COLUMN_NAMES)[number]): string {
  return join(directory, `${name}.bin`);
}

/** The numbers that follow from the row count; Python reads them too. */
export function w1Parameters(rows: number): Record<string, number> {
  return { rows, gatherRows: rows / 20, sliceStart: rows * 0.35, sliceRows: rows / 4, smallSets: 4096, smallRows: 100 };
}

export function generateW1(parameters: SuiteContext['parameters'], directory: string, progress: Progress): void {
  const [rows, gatherRows, smallCount] = [
    number(parameters, 'rows'),
    number(parameters, 'gatherRows'),
    number(parameters, 'smallSets') * number(parameters, 'smallRows'),
  ];
  const price = uniform(1);
  const qty = uniform(2);
  const ts = uniform(3);
  const score = uniform(4);
  const flag = uniform(5);
  const mask = uniform(6);
  let time = 1_700_000_000_000_000n;
  const write = (name: string, count: number, make: (length: number) => NodeJS.ArrayBufferView): void => {
    progress.update(`w1: writing ${name}`);
    writeChunks(join(directory, `${name}.bin`), count, make);
  };
  write('price', rows, (length) => new Float64Array(length).map(() => Math.round(100 + price() * 400_000) / 100));
  write('qty', rows, (length) => new Int32Array(length).map(() => 1 + Math.floor(qty() * 1000)));
  write('ts', rows, (length) => new BigInt64Array(length).map(() => (time += BigInt(1 + Math.floor(ts() * 1000)))));
  write('score', rows, (length) => new Float32Array(length).map(() => score() * 2 - 1));
  write('flag', rows, (length) => new Uint8Array(length).map(() => Math.floor(flag() * 4)));
  write('mask', rows, (length) => new Uint8Array(length).map(() => (mask() < 0.1 ? 1 : 0)));
  const row = uniform(7);
  const rowsOf = (length: number): Int32Array => new Int32Array(length).map(() => Math.floor(row() * rows));
  const indices = rowsOf(gatherRows);
  writeFileSync(join(directory, 'random.bin'), indices);
  writeFileSync(join(directory, 'sorted.bin'), indices.slice().sort());
  writeFileSync(join(directory, 'small.bin'), rowsOf(smallCount));
}

/** All five columns, read into memory. */
export function readColumns({ directory }: SuiteContext): W1Columns {
  const read = (name: (typeof COLUMN_NAMES)[number]): ArrayBuffer => readWhole(columnPath(directory, name));
  return {
    price: new Float64Array(read('price')),
    qty: new Int32Array(read('qty')),
    ts: new BigInt64Array(read('ts')),
    score: new Float32Array(read('score')),
    flag: new Uint8Array(read('flag')),
  };
}

export function readInputs({ directory, parameters }: SuiteContext): W1Inputs {
  const small = new Int32Array(readWhole(join(directory, 'small.bin')));
  const [smallRows, start] = [number(parameters, 'smallRows'), number(parameters, 'sliceStart')];
  return {
    rowCount: number(parameters, 'rows'),
    random: new Int32Array(readWhole(join(directory, 'random.bin'))),
    sorted: new Int32Array(readWhole(join(directory, 'sorted.bin'))),
    smallSets: Array.from({ length: number(parameters, 'smallSets') }, (_, i) =>
      small.slice(i * smallRows, (i + 1) * smallRows),
    ),
    mask: new Uint8Array(readWhole(join(directory, 'mask.bin'))),
    slice: { start, end: start + number(parameters, 'sliceRows') },
  };
}

/** What task f tells of a file, as bytes: the same text in every language. */
export function metadataBytes(rowCount: number, names: readonly string[], dtypes: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([rowCount, names, dtypes]));
}

export function readWhole(path: string): ArrayBuffer {
  const bytes = readFileSync(path);
  // A large file's buffer is its own; a small one may lie in Node's shared pool.
  return bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
    ? bytes.buffer
    : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

function writeChunks(path: string, count: number, make: (length: number) => NodeJS.ArrayBufferView): void {
  const fd = openSync(path, 'w');
  try {
    for (let done = 0; done < count; done += CHUNK_ROWS) writeSync(fd, make(Math.min(CHUNK_ROWS, count - done)));
  } finally {
    closeSync(fd);
  }
}

function number(parameters: SuiteContext['parameters'], name: string): number {
  const value = parameters[name];
  if (value === undefined) throw new Error(`w1: no parameter ${name}`);
  return value;
}
