// What the addon may be asked of raw columns, as a typed program, and what it answers: the one place where they become
// the numbers that the addon takes (native/scripts/raw-program-table.mjs says what each means), and where its numbers
// are read.
import {
  RAW_BOUND_BYTES,
  RAW_COMPARISON,
  RAW_COLUMN_NUMBERS,
  RAW_FINDINGS,
  RAW_FOLD_KIND,
  RAW_FOLD_NUMBERS,
  RAW_FOLD_RESULT,
  RAW_FOLD_RESULT_NUMBERS,
  RAW_GROUP,
  RAW_GROUP_NUMBERS,
  RAW_HEAD_NUMBERS,
  RAW_KEY_NUMBERS,
  RAW_LIMBS,
  RAW_NODE,
  RAW_NODE_NUMBERS,
  RAW_OPERATION,
  RAW_RANGE_NUMBERS,
  RAW_RESULT,
  RAW_RESULT_NUMBERS,
  RAW_STEP,
  RAW_TYPE,
} from './raw-constants.ts';

export { RAW_LIMITS } from './raw-constants.ts';

/** What items are: `ticks` are 64-bit times, `bytes` and `points` texts of fixed width. */
export type RawType = keyof typeof RAW_TYPE;

export interface RawColumn {
  /** The column's number in the segments. */
  readonly number: number;
  readonly type: RawType;
  /** Whether items (code points of `points`) are stored in the other byte order. */
  readonly isSwapped: boolean;
}

export interface RawBound {
  readonly points: Uint32Array;
  /** Whether the bound itself does not match. */
  readonly isOpen: boolean;
}

/** Numbers of rows as doubles. */
export type RawValue =
  /** Of bool, floats and integers of up to 32 bits. */
  | { readonly kind: 'column'; readonly column: RawColumn }
  | { readonly kind: 'constant'; readonly value: number }
  | {
      readonly kind: 'arithmetic';
      readonly op: 'add' | 'sub' | 'mul' | 'div';
      /** Whether it is an integer, of which 0 has no sign. */
      readonly isWhole: boolean;
      readonly left: RawValue;
      readonly right: RawValue;
    };

/** Which rows match; `isFlipped` means those that do not. */
export type RawNode =
  | { readonly operation: 'constant'; readonly matches: boolean }
  /**
   * low <= item <= high, both of them values of the type: bigints of 64 bits, else numbers; of bools bytes, of float16
   * what `halfKey` makes of halves.
   */
  | {
      readonly operation: 'within';
      readonly column: RawColumn;
      readonly isFlipped: boolean;
      readonly low: number | bigint;
      readonly high: number | bigint;
    }
  | {
      readonly operation: 'text';
      readonly column: RawColumn;
      readonly isFlipped: boolean;
      readonly low: RawBound | null;
      readonly high: RawBound | null;
    }
  | {
      readonly operation: 'prefix';
      readonly column: RawColumn;
      readonly isFlipped: boolean;
      readonly prefix: Uint32Array;
    }
  | {
      readonly operation: 'computed';
      readonly isFlipped: boolean;
      readonly comparison: keyof typeof RAW_COMPARISON;
      readonly left: RawValue;
      readonly right: RawValue;
    }
  /** One term or more. */
  | { readonly operation: 'and' | 'or'; readonly terms: readonly RawNode[] };

export interface RawFold {
  readonly column: RawColumn;
  readonly kind: keyof typeof RAW_FOLD_KIND;
}

export interface RawProgram {
  /** Rows that are looked at, ascending and apart. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Null: all of them match. */
  readonly where: RawNode | null;
  readonly folds: readonly RawFold[];
  /** Whether it is wanted which rows match. */
  readonly bits: boolean;
  /** What rows are grouped by, and how many groups the answer has room for; null: all rows are one group. */
  readonly groups: { readonly by: readonly RawColumn[]; readonly most: number } | null;
}

/** What matching rows were folded to. */
export type RawFolded =
  /** Of no row; of nothing but NaN or NaT. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' }
  /** The sum of integers; an extreme (bigint of 64-bit types); of texts the row that has it. */
  | { readonly kind: 'value'; readonly value: number | bigint }
  /** The exact sum of floats in units of 2^-1074, and the sum of those that are not finite: 0 where all were. */
  | { readonly kind: 'floats'; readonly fixed: bigint; readonly special: number };

/** Rows of one group. */
export interface RawGroup {
  /** The first of them that matches. */
  readonly first: number;
  /** How many match. */
  readonly count: number;
  readonly folds: readonly RawFolded[];
}

export interface RawAnswer {
  readonly matches: number;
  /** Of rows that are not grouped. */
  readonly folds: readonly RawFolded[];
  /** In the order of their first rows; null where there are too many, or rows are not grouped. */
  readonly groups: readonly RawGroup[] | null;
  /** A bit a row, least significant first, 1 = matches; each range from a byte of its own on. Empty: not asked for. */
  readonly bits: Uint8Array;
}

/** A program as the addon takes it. */
interface PackedRaw {
  readonly numbers: Float64Array;
  readonly constants: Uint8Array;
  readonly bits: Uint8Array;
  readonly results: Float64Array;
}

/** Values as they are ordered: the magnitude of a half's bits, with its sign. */
export function halfKey(bits: number): number {
  return (bits & 0x8000) === 0 ? bits : -(bits & 0x7fff);
}

export function packRaw({ ranges, where, folds, bits, groups }: RawProgram): PackedRaw {
  const columns: RawColumn[] = [];
  const indexOf = (column: RawColumn): number => {
    const known = columns.findIndex(({ number }) => number === column.number);
    return known === -1 ? columns.push(column) - 1 : known;
  };
  const constants: number[] = [];
  const nodes: number[] = [];
  if (where !== null) packNodes(where, indexOf, nodes, constants);
  const foldNumbers = folds.flatMap(({ column, kind }) => [indexOf(column), RAW_FOLD_KIND[kind]]);
  const keys = groups?.by.map(indexOf) ?? [];
  const numbers = new Float64Array(
    RAW_HEAD_NUMBERS +
      columns.length * RAW_COLUMN_NUMBERS +
      ranges.length * RAW_RANGE_NUMBERS +
      nodes.length +
      folds.length * RAW_FOLD_NUMBERS +
      keys.length * RAW_KEY_NUMBERS,
  );
  const nodeCount = nodes.length / RAW_NODE_NUMBERS;
  numbers.set([columns.length, ranges.length, nodeCount, folds.length, Number(bits), keys.length, groups?.most ?? 0]);
  let at = RAW_HEAD_NUMBERS;
  for (const { number, type, isSwapped } of columns) {
    numbers.set([number, RAW_TYPE[type], Number(isSwapped)], at);
    at += RAW_COLUMN_NUMBERS;
  }
  let bitBytes = 0;
  for (const { start, end } of ranges) {
    numbers.set([start, end], at);
    at += RAW_RANGE_NUMBERS;
    bitBytes += Math.ceil((end - start) / 8);
  }
  numbers.set(nodes, at);
  numbers.set(foldNumbers, at + nodes.length);
  numbers.set(keys, at + nodes.length + foldNumbers.length);
  const foldResults = folds.length * RAW_FOLD_RESULT_NUMBERS;
  return {
    numbers,
    constants: new Uint8Array(Uint32Array.from(constants).buffer),
    bits: new Uint8Array(bits ? bitBytes : 0),
    results: new Float64Array(
      RAW_RESULT_NUMBERS + (groups === null ? foldResults : groups.most * (RAW_GROUP_NUMBERS + foldResults)),
    ),
  };
}

/** Adds the numbers of a node and of what it stands on, in the order in which they are evaluated. */
function packNodes(node: RawNode, indexOf: (column: RawColumn) => number, nodes: number[], constants: number[]): void {
  if (node.operation === 'and' || node.operation === 'or') {
    for (const [index, term] of node.terms.entries()) {
      packNodes(term, indexOf, nodes, constants);
      if (index > 0) addNode(nodes, node.operation);
    }
    return;
  }
  const at = addNode(nodes, node.operation);
  switch (node.operation) {
    case 'constant':
      nodes[at + RAW_NODE.flip] = Number(node.matches);
      return;
    case 'within':
      nodes[at + RAW_NODE.low] = 4 * constants.length;
      pushWords(node.column.type, node.low, constants);
      pushWords(node.column.type, node.high, constants);
      break;
    case 'computed': {
      const steps = [...stepsOf(node.left, indexOf), ...stepsOf(node.right, indexOf)];
      nodes[at + RAW_NODE.flip] = Number(node.isFlipped);
      nodes[at + RAW_NODE.low] = 4 * constants.length;
      nodes[at + RAW_NODE.lowLength] = steps.length;
      nodes[at + RAW_NODE.high] = RAW_COMPARISON[node.comparison];
      for (const step of steps) for (const word of step) constants.push(word);
      return;
    }
    case 'text': {
      packBound(node.low, nodes, at + RAW_NODE.low, constants);
      // An equality has one bound: where it stands tells.
      if (node.high === node.low) nodes.copyWithin(at + RAW_NODE.high, at + RAW_NODE.low, at + RAW_NODE.high);
      else packBound(node.high, nodes, at + RAW_NODE.high, constants);
      break;
    }
    case 'prefix':
      packBound({ points: node.prefix, isOpen: false }, nodes, at + RAW_NODE.low, constants);
      break;
  }
  nodes[at + RAW_NODE.column] = indexOf(node.column);
  nodes[at + RAW_NODE.flip] = Number(node.isFlipped);
}

/** @returns Where its numbers start. */
function addNode(nodes: number[], operation: RawNode['operation']): number {
  const at = nodes.length;
  while (nodes.length < at + RAW_NODE_NUMBERS) nodes.push(0);
  nodes[at + RAW_NODE.operation] = RAW_OPERATION[operation];
  return at;
}

/** A value in the order in which it is worked out. */
function stepsOf(value: RawValue, indexOf: (column: RawColumn) => number): readonly (readonly number[])[] {
  switch (value.kind) {
    case 'column':
      return [[RAW_STEP.column, indexOf(value.column), 0]];
    case 'constant':
      return [[RAW_STEP.constant, ...new Uint32Array(Float64Array.of(value.value).buffer)]];
    case 'arithmetic':
      return [
        ...stepsOf(value.left, indexOf),
        ...stepsOf(value.right, indexOf),
        [RAW_STEP[value.op], 0, 0],
        ...(value.isWhole ? [[RAW_STEP.whole, 0, 0]] : []),
      ];
  }
}

/** The offset, the length, and whether it is open. */
function packBound(bound: RawBound | null, packed: number[], at: number, constants: number[]): void {
  packed[at] = 4 * constants.length;
  packed[at + 1] = bound === null ? -1 : bound.points.length;
  packed[at + 2] = Number(bound?.isOpen === true);
  for (const point of bound?.points ?? []) constants.push(point);
}

/** One item, for each of its types: made once, since each array takes longer than what is done with it. */
let views: ReturnType<typeof itemViews> | undefined;

function itemViews() {
  const bytes = new ArrayBuffer(RAW_BOUND_BYTES);
  return {
    int64: new BigInt64Array(bytes),
    float64: new Float64Array(bytes),
    float32: new Float32Array(bytes),
    int32: new Int32Array(bytes),
    words: new Uint32Array(bytes),
  };
}

/** Adds an item as 8 bytes, which it fills from the first on: narrow integers are the lower bytes of wide ones. */
function pushWords(type: RawType, value: number | bigint, to: number[]): void {
  const item = (views ??= itemViews());
  const { int32, words } = item;
  int32[1] = 0;
  // Integers are taken modulo 2^64 and 2^32.
  if (type === 'int64' || type === 'uint64' || type === 'ticks') item.int64[0] = BigInt(value);
  else (type === 'float64' || type === 'float32' ? item[type] : int32)[0] = Number(value);
  to.push(words[0] as number, words[1] as number);
}

export function unpackRaw({ folds, groups }: RawProgram, { results, bits }: PackedRaw): RawAnswer {
  return {
    matches: results[RAW_RESULT.matches] as number,
    folds: groups === null ? unpackFolds(folds, results, RAW_RESULT_NUMBERS) : [],
    groups: groups === null ? null : unpackGroups(folds, groups.most, results),
    bits,
  };
}

function unpackFolds(folds: readonly RawFold[], results: Float64Array, at: number): readonly RawFolded[] {
  return folds.map((fold, index) => unpackFold(fold, results, at + index * RAW_FOLD_RESULT_NUMBERS));
}

function unpackGroups(folds: readonly RawFold[], most: number, results: Float64Array): readonly RawGroup[] | null {
  const count = results[RAW_RESULT.groups] as number;
  if (count > most) return null;
  const numbers = RAW_GROUP_NUMBERS + folds.length * RAW_FOLD_RESULT_NUMBERS;
  return Array.from({ length: count }, (_, group) => {
    const at = RAW_RESULT_NUMBERS + group * numbers;
    return {
      first: results[at + RAW_GROUP.first] as number,
      count: results[at + RAW_GROUP.count] as number,
      folds: unpackFolds(folds, results, at + RAW_GROUP_NUMBERS),
    };
  });
}

function unpackFold({ column, kind }: RawFold, results: Float64Array, at: number): RawFolded {
  const found = RAW_FINDINGS[results[at + RAW_FOLD_RESULT.found] as number] ?? 'nothing';
  if (found !== 'value') return { kind: found };
  const { type } = column;
  const isFloat = type === 'float16' || type === 'float32' || type === 'float64';
  if (kind === 'sum') {
    if (isFloat) {
      const limbs = results.subarray(at + RAW_FOLD_RESULT.limbs, at + RAW_FOLD_RESULT.limbs + RAW_LIMBS);
      return { kind: 'floats', fixed: fixedOf(limbs), special: results[at + RAW_FOLD_RESULT.special] as number };
    }
    const upper = BigInt(results[at + RAW_FOLD_RESULT.word2] as number) << 64n;
    return { kind: 'value', value: upper + wideOf(results, at) };
  }
  if (type === 'uint64') return { kind: 'value', value: wideOf(results, at) };
  if (type === 'int64' || type === 'ticks') return { kind: 'value', value: BigInt.asIntN(64, wideOf(results, at)) };
  return { kind: 'value', value: results[at + RAW_FOLD_RESULT.number] as number };
}

function wideOf(results: Float64Array, at: number): bigint {
  const upper = BigInt(results[at + RAW_FOLD_RESULT.word1] as number) << 32n;
  return upper + BigInt(results[at + RAW_FOLD_RESULT.word0] as number);
}

/** Most of the limbs are 0, and above the digits of what is negative all are the largest ones. */
function fixedOf(limbs: Float64Array): bigint {
  let top = limbs.length - 1;
  let fixed = BigInt(limbs[top] as number);
  if (fixed === 0n) while (top > 0 && limbs[top - 1] === 0) top -= 1;
  else if (fixed === -1n) while (top > 0 && limbs[top - 1] === 0xffff_ffff) top -= 1;
  let bottom = 0;
  while (bottom < top && limbs[bottom] === 0) bottom += 1;
  for (let limb = top - 1; limb >= bottom; limb -= 1) fixed = (fixed << 32n) + BigInt(limbs[limb] as number);
  return fixed << BigInt(32 * bottom);
}
