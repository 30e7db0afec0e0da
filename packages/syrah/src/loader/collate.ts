// How samples become one batch, as callers say it. 'stack' makes one array of equal-length arrays, 'pad' of arrays of
// any length, 'list' leaves them apart. Tuples give a tuple of columns, objects an object of columns. Numbers, bigints
// and booleans have no length: 'pad' makes one array of them, as 'stack' does, and leaves texts a list.
import { ArgumentError, checkOptions, describeValue, isByName, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { Tensor } from '../items/gather/gather-items.ts';
import type { SyrahArray } from '../layout/dtype.ts';
import { checkNames } from './collate/value-names.ts';
import type { ByName, ValueNames } from './collate/value-names.ts';

/** Arrays of several lengths as one: row k holds `lengths[k]` elements, then padding. */
export interface PaddedTensor<A = SyrahArray> extends Tensor<A> {
  readonly lengths: Int32Array;
  /** Of the shape of `data`: 1 for an element, 0 for padding. Where `mask: true` asked for it. */
  readonly mask?: Uint8Array;
}

export interface StackCollate {
  readonly kind: 'stack';
  /**
   * By key, as `cast` of the loader: the shape of one array, which the file does not store; a batch of it is [batch,
   * ...shape].
   */
  readonly shapes?: Readonly<Record<string, readonly number[]>>;
}
/**
 * Arrays of one dimension become a PaddedTensor. Numbers, bigints and booleans, which have no length, become a plain
 * Tensor of one of them a sample, without `lengths` and `mask`; texts stay a list.
 */
export interface PadCollate {
  readonly kind: 'pad';
  /**
   * What padding is filled with; 0 by default. A number of the dtype that an array is cast to, where it is cast; of
   * 'float16-bits' a number of float16, whose bits the padding then is.
   */
  readonly value?: number | bigint;
  /** Tells elements from padding, too. */
  readonly mask?: boolean;
}
export interface ListCollate {
  readonly kind: 'list';
}
export type CollateSpec = StackCollate | PadCollate | ListCollate;

export interface CollateContext {
  /** The dataset indices of the samples. */
  readonly indices: readonly number[];
  readonly epoch: number;
}
/** Samples -> a batch. As a method's, its first parameter may say what the samples are. */
export type CollateFunction = { of(samples: readonly unknown[], context: CollateContext): unknown }['of'];
export type CollateOption = 'stack' | 'pad' | 'list' | CollateSpec | CollateFunction;

const STACK_OPTIONS: OptionSet<StackCollate> = {
  kind: option.word('stack'),
  // A Map's entries are none of its fields.
  shapes: option.kind('lengths by key, in an object', (value) => isByName(value) && !(value instanceof Map)),
};
const PAD_OPTIONS: OptionSet<PadCollate> = {
  kind: option.word('pad'),
  // parsePadValue looks at it: it may be text, as a state keeps what JSON has not.
  value: option.kind('a number or bigint', () => true),
  mask: option.flag,
};
const LIST_OPTIONS: OptionSet<ListCollate> = { kind: option.word('list') };

export function parseCollate(given: CollateOption): CollateSpec | CollateFunction {
  if (typeof given === 'function') return given;
  const spec: CollateSpec = typeof given === 'string' ? { kind: given } : given;
  switch (spec.kind) {
    case 'stack':
      checkOptions('collate', STACK_OPTIONS, spec);
      return { kind: 'stack', shapes: checkShapes(spec.shapes ?? {}) };
    case 'pad':
      checkOptions('collate', PAD_OPTIONS, spec);
      return { kind: 'pad', value: parsePadValue(spec.value ?? 0), mask: spec.mask ?? false };
    case 'list':
      checkOptions('collate', LIST_OPTIONS, spec);
      return { kind: 'list' };
    default:
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'collate',
        "'stack', 'pad', 'list', their settings or a function",
        describeSpec(given),
      );
  }
}

/** The kind that is none, where there is one. */
function describeSpec(given: unknown): string {
  return typeof given === 'object' && given !== null && 'kind' in given
    ? `{ kind: ${describeValue(given.kind)} }`
    : describeValue(given);
}

/** A number or bigint; or what a state has for those that JSON has not. */
function parsePadValue(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  throw new ArgumentError('ERR_ARGUMENT', 'collate: value', 'a number or bigint', describeValue(value));
}

function checkShapes(shapes: Readonly<Record<string, readonly number[]>>): Readonly<Record<string, readonly number[]>> {
  for (const [key, shape] of Object.entries(shapes)) {
    if (Array.isArray(shape) && shape.every((length) => Number.isSafeInteger(length) && length >= 0)) continue;
    throw new ArgumentError(
      'ERR_ARGUMENT',
      `collate: the shape of ${JSON.stringify(key)}`,
      'a list of lengths',
      describeValue(shape),
    );
  }
  return shapes;
}

/** @throws ArgumentError for a shape of what no value is called, where `known` tells. */
export function checkShapeKeys(collate: CollateSpec | CollateFunction, known: ValueNames | null): void {
  if (typeof collate !== 'function') checkNames(shapeNames(collate), known);
}

/** What shapes speak of. */
export function shapeNames(collate: CollateSpec): ByName {
  const shapes = collate.kind === 'stack' ? (collate.shapes ?? {}) : {};
  return { option: 'collate: shapes', what: 'shapes', names: Object.keys(shapes) };
}

/** The shape that was given for a key, whatever its name: "constructor" is one like others. */
export function shapeOf({ shapes }: StackCollate, key: string): readonly number[] | null {
  return shapes !== undefined && Object.hasOwn(shapes, key) ? (shapes[key] ?? null) : null;
}

/** A text that is the same for the same collation; functions cannot be told apart. */
export function describeCollate(collate: CollateSpec | CollateFunction): string {
  if (typeof collate === 'function') return 'function';
  return JSON.stringify(collate, (_, value: unknown) =>
    typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value,
  );
}
