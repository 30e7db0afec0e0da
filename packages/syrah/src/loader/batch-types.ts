// What the compiler knows of items, samples and batches: earned by a check of the file (`expect`), and followed through
// keys, process functions, collation and casts.
import type { Tensor } from '../items/gather/gather-items.ts';
import type { ItemTypes } from '../items/item-record.ts';
import type { SyrahArray, SyrahDType, SyrahDTypeMap, SyrahValue } from '../layout/dtype.ts';
import type { CastDType } from './cast/cast-spec.ts';
import type { PaddedTensor } from './collate.ts';
import type { ProcessFunction } from './sample.ts';

/**
 * Functions by key that make `R`, each given what `expect` has shown of its key. A mapped type, so that the compiler
 * knows `E` before it looks at a function's parameter.
 */
export type ProcessingOf<E extends ItemTypes, R> =
  | { readonly [Key in keyof R]: ProcessFunction<ValueOf<E, Key>, R[Key]> }
  | ReadonlyMap<string, ProcessFunction>;

/** The options of a dataset that was opened with those: a Map tells nothing of its functions. */
export interface OpenedWith<E extends ItemTypes, R> {
  readonly expect: E;
  readonly process: R extends { readonly [Symbol.iterator]: unknown }
    ? ReadonlyMap<string, ProcessFunction>
    : { readonly [Key in keyof R]: () => R[Key] };
}

/** What a process function of key `K` makes; the stored value where there is none. */
type Processed<O, K, Value> = O extends { readonly process: infer P }
  ? P extends ReadonlyMap<string, unknown>
    ? unknown
    : K extends keyof P
      ? P[K] extends (...parameters: never[]) => infer R
        ? Awaited<R>
        : unknown
      : Value
  : Value;

/** The sample of a dataset that was opened with these keys and options: a tuple in the order of the keys. */
export type SampleOf<Keys extends readonly string[], O> = O extends { readonly expect: infer E extends ItemTypes }
  ? { readonly [Index in keyof Keys]: Processed<O, Keys[Index], ValueOf<E, Keys[Index]>> }
  : readonly unknown[];

type ValueOf<E extends ItemTypes, Key> = Key extends keyof E ? SyrahDTypeMap[E[Key]] : SyrahValue;

/** The array that a cast gives. */
export type CastArray<D> = D extends 'float16-bits' ? Uint16Array : D extends SyrahDType ? SyrahDTypeMap[D] : never;

/** What becomes of an array of a key that is cast. */
type CastOf<O, Key, A> = O extends { readonly cast: infer C }
  ? Key extends keyof C
    ? C[Key] extends CastDType
      ? CastArray<C[Key]>
      : A
    : A
  : A;

type CollateOf<O> = 'collate' extends keyof O ? (O extends { readonly collate: infer C } ? C : unknown) : 'stack';
type KindOf<C> = C extends { readonly kind: infer K } ? K : C;

/** A tensor as a dataset of one's own may make it. */
type Shaped<A> = Omit<Tensor<A>, 'shape'> & { readonly shape: readonly number[] };

/** What has no length, so that there is nothing to pad. */
type Scalar = string | number | bigint | boolean;

/** The values of all samples at one index, or by one name, collated. */
type Collated<Kind, Value, O, Key> = Kind extends 'stack'
  ? Joined<Value, O, Key>
  : Kind extends 'pad'
    ? [Value] extends [Scalar]
      ? Joined<Value, O, Key>
      : Joined<Value, O, Key> extends Tensor<infer A>
        ? PaddedTensor<A>
        : Joined<Value, O, Key>
    : Kind extends 'list'
      ? readonly (Value extends SyrahArray ? CastOf<O, Key, Value> : Value)[]
      : unknown;

type Joined<Value, O, Key> = [Value] extends [string]
  ? readonly string[]
  : [Value] extends [number]
    ? Tensor<CastOf<O, Key, Float64Array>>
    : [Value] extends [bigint]
      ? Tensor<CastOf<O, Key, BigInt64Array>>
      : [Value] extends [boolean]
        ? Tensor<CastOf<O, Key, Uint8Array>>
        : [Value] extends [SyrahArray]
          ? Tensor<CastOf<O, Key, Value>>
          : [Value] extends [Shaped<infer A>]
            ? Tensor<CastOf<O, Key, A>>
            : unknown;

/** The batches of samples `S`, whose values are called `Keys`, by a loader with the options `O`. */
export type BatchOf<S, Keys extends readonly string[], O> =
  CollateOf<O> extends (...parameters: never[]) => infer R
    ? Awaited<R>
    : O extends { readonly processModule: string | URL }
      ? readonly unknown[]
      : S extends readonly unknown[]
        ? number extends S['length']
          ? readonly unknown[]
          : {
              readonly [Index in keyof S]: Collated<
                KindOf<CollateOf<O>>,
                S[Index],
                O,
                Index extends keyof Keys ? Keys[Index] : Index
              >;
            }
        : unknown extends S
          ? readonly unknown[]
          : S extends SyrahArray | Shaped<SyrahArray> | string | number | bigint | boolean
            ? Collated<KindOf<CollateOf<O>>, S, O, never>
            : { readonly [Name in keyof S]: Collated<KindOf<CollateOf<O>>, S[Name], O, Name> };

/** The same; that its fields can be written makes the compiler compare what is in it. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a loader yields: what was said outright, else what follows from dataset and options. */
export type Yielded<Batch, S, Keys extends readonly string[], O> = [Batch] extends [never]
  ? BatchOf<S, Keys, O>
  : Batch;
