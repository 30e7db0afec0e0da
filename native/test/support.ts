// What the tests share: the addon (or null), files of known bytes, tables laid out in segments, and the naive gather
// that the kernels are compared with.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { loadNative, type Mapping, type NativeBinding, type NativeRows, type SegmentTable } from '../index.js';

const lookup = loadNative();

export const hasNative = lookup.binding !== null;

if (!hasNative && process.env['COLKIT_REQUIRE_NATIVE'] === '1')
  throw new Error(`COLKIT_REQUIRE_NATIVE is set, but ${lookup.reason}`);

/** The addon. Use it only inside `describe.skipIf(!hasNative)`. */
export function native(): NativeBinding {
  if (lookup.binding === null) throw new Error(lookup.reason);
  return lookup.binding;
}

let folder: string | null = null;

/** A path in a folder that goes away after the tests of this file. */
export function temporaryPath(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'colkit-native-'));
  return join(folder, name);
}

// Here and not where the folder is made: a hook that a running test registers is never called.
afterAll(() => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
});

export function mapPath(path: string): Mapping {
  const fd = openSync(path, 'r');
  try {
    return native().mapFile(path, fd);
  } finally {
    closeSync(fd);
  }
}

let files = 0;

/** A new file with these bytes, and its mapping. */
export function mapBytes(bytes: Uint8Array): { readonly mapping: Mapping; readonly path: string } {
  const path = temporaryPath(`bytes-${files++}.bin`);
  writeFileSync(path, bytes);
  return { mapping: mapPath(path), path };
}

/** Seeded: mulberry32. */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Table {
  readonly mapping: Mapping;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly segments: SegmentTable;
  readonly rowCount: number;
  readonly widths: readonly number[];
  /** The bytes of one item, looked up in the bytes that were written. */
  readonly item: (column: number, row: number) => Uint8Array;
}

/** Random bytes as columns in segments of the given numbers of rows; nothing is aligned. */
export function makeTable(segmentRows: readonly number[], widths: readonly number[], seed = 1): Table {
  const random = makeRandom(seed);
  const bases = new Float64Array(widths.length * segmentRows.length);
  const rowStarts = new Float64Array(segmentRows.length + 1);
  const indexes: number[][] = widths.map(() => []);
  let end = 5;
  segmentRows.forEach((rows, s) => {
    widths.forEach((width, c) => {
      bases[c * segmentRows.length + s] = end - rowStarts[s]! * width;
      for (let row = 0; row < rows; row++) indexes[c]!.push(end + row * width);
      end += rows * width + Math.floor(random() * 4);
    });
    rowStarts[s + 1] = rowStarts[s]! + rows;
  });
  const bytes = new Uint8Array(end);
  for (let i = 0; i < end; i++) bytes[i] = random() * 256;
  const { mapping, path } = mapBytes(bytes);
  const segments = native().createSegments(mapping, rowStarts, Int32Array.from(widths), bases);
  const item = (column: number, row: number): Uint8Array =>
    bytes.subarray(indexes[column]![row], indexes[column]![row]! + widths[column]!);
  return { mapping, path, bytes, segments, rowCount: rowStarts[segmentRows.length]!, widths, item };
}

/** The row numbers that `rows` names, the slow way. */
export function rowNumbers(rows: NativeRows, rowCount: number): number[] {
  switch (rows.kind) {
    case 'range':
      return Array.from({ length: rows.count }, (_, k) => rows.start + k * rows.step);
    case 'indices':
      return Array.from<number | bigint>(rows.indices).map((index) =>
        index < 0 ? Number(index) + rowCount : Number(index),
      );
    case 'mask': {
      const chosen: number[] = [];
      rows.mask.forEach((set, row) => {
        if (set !== 0) chosen.push(row);
      });
      return chosen;
    }
  }
}

/** Runs a script of test/children in a process of its own. */
export function runChild(
  name: string,
  parameters: readonly string[] = [],
  options: { readonly execArgv?: readonly string[]; readonly env?: Record<string, string> } = {},
) {
  const script = fileURLToPath(new URL(`children/${name}`, import.meta.url));
  const result = spawnSync(process.execPath, [...(options.execArgv ?? []), script, ...parameters], {
    encoding: 'utf8',
    timeout: 50_000,
    env: { ...process.env, ...options.env },
  });
  return { status: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr };
}

/** The error that a call throws, as a plain object with the fields that callers go by. */
export function errorOf(call: () => unknown): {
  code: unknown;
  message: string;
  name: string;
  [field: string]: unknown;
} {
  try {
    call();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { code: undefined, ...Object.fromEntries(Object.entries(error)), message: error.message, name: error.name };
  }
  throw new Error('nothing was thrown');
}

/** The array, once its memory was sent away. */
export function detached<T extends ArrayBufferView>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** Passes anything for an argument of any type. */
export function as(value: unknown): never {
  return value as never;
}
