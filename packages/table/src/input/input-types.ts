// What the compiler knows of columns that a user hands in: typed arrays say their type, and so do arrays of one kind.
import type { DType } from '@colkit/io';
import type { Column } from '../output/column.ts';
import type { ColumnType, TableTypes } from '../schema.ts';
import type { TypedValues } from './typed.ts';

/** By the name that a typed array has at run time: to the compiler, some of them are alike otherwise. */
interface DTypeOfTag {
  readonly Float64Array: 'float64';
  readonly Float32Array: 'float32';
  readonly Float16Array: 'float16';
  readonly Int8Array: 'int8';
  readonly Int16Array: 'int16';
  readonly Int32Array: 'int32';
  readonly BigInt64Array: 'int64';
  readonly Uint8Array: 'uint8';
  readonly Uint8ClampedArray: 'uint8';
  readonly Uint16Array: 'uint16';
  readonly Uint32Array: 'uint32';
  readonly BigUint64Array: 'uint64';
}

/** Of arrays: their element type, where all elements are of one kind. */
type DTypeOfElement<E> = [E] extends [boolean]
  ? 'bool'
  : [E] extends [bigint]
    ? 'int64'
    : [E] extends [number]
      ? 'float64'
      : [E] extends [string]
        ? 'string'
        : [E] extends [Date]
          ? 'datetime64[ms]'
          : [E] extends [Uint8Array]
            ? 'binary'
            : DType;

/** The type of one column that is handed in, as far as the compiler knows it. */
export type ColumnTypeOf<V> =
  V extends Column<infer T>
    ? T
    : V extends TypedValues<infer D>
      ? { readonly dtype: D; readonly nullable: boolean }
      : V extends { readonly [Symbol.toStringTag]: infer Tag extends keyof DTypeOfTag }
        ? { readonly dtype: DTypeOfTag[Tag]; readonly nullable: false }
        : V extends readonly (infer E)[]
          ? { readonly dtype: DTypeOfElement<NonNullable<E>>; readonly nullable: null extends E ? true : false }
          : ColumnType;

/** The types of columns by name; of a Map, or of pairs, nothing is known before they are looked at. */
export type TypesOfColumns<C> = C extends ReadonlyMap<string, unknown> | readonly unknown[]
  ? TableTypes
  : { readonly [Name in keyof C & string]: ColumnTypeOf<C[Name]> };

/** The types of rows that are handed in: those of arrays of their values. */
export type TypesOfRows<R> = { readonly [Name in keyof R & string]: ColumnTypeOf<readonly R[Name][]> };
