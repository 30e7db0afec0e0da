// How columns shall come back: the options of a read and the types that follow from them.
import { option } from '@colkit/io';
import type {
  BigIntDType,
  DType,
  FixedArray,
  FixedStringDType,
  Float16ArrayLike,
  OptionSet,
  TimeDType,
} from '@colkit/io';
import type { ArrayOf, ColumnType, TableTypes, ValueOf } from '../schema.ts';

/** What decides the form of a column. */
export interface FormOptions {
  /**
   * 64-bit integers as BigInt64Array and BigUint64Array (the default), or as Float64Array: a value beyond +-2^53 throws
   * ERR_UNSAFE_INTEGER. Datetimes stay ticks.
   */
  readonly int64?: 'bigint' | 'number';
  /**
   * Columns that the schema calls nullable: as arrays with null among the values (the default); as
   * `{ values, validity }`, one bit a row, least significant first, 1 = not null; or as float arrays with NaN
   * (datetimes and timedeltas with NaT; text and bytes have no NaN and keep null). The schema decides, not whether a
   * null is met.
   */
  readonly nulls?: 'array' | 'bitmap' | 'nan';
  /**
   * Text as string[] (the default); as `{ codes, dictionary }`, code -1 for null; or, for S and U, as their packed raw
   * items ('bytes'; variable-width columns stay arrays).
   */
  readonly strings?: 'values' | 'dictionary' | 'bytes';
  /**
   * Datetimes as bigint ticks (the default), or as `Date[]`, in which NaT is an invalid Date. A Date has milliseconds:
   * what is finer is refused by 'date' (ERR_VALUE) and dropped, towards the past, by 'date-lossy'; so are years beyond
   * +-271821. Nulls stay null, with `nulls: 'nan'` too.
   */
  readonly dates?: 'ticks' | 'date' | 'date-lossy';
}

/** How a read runs. */
export interface RunOptions {
  /** Most threads; 0 or absent: the process-wide setting. */
  readonly workers?: number;
  /** Rejects (the Sync forms throw) with the signal's reason; nothing more is read then. */
  readonly signal?: AbortSignal;
}

/** Arrays by column name: an object or a Map. */
export type OutArrays = Readonly<Record<string, FixedArray | undefined>> | ReadonlyMap<string, FixedArray>;

export interface PlacementOptions {
  /**
   * Each result in an ordinary ArrayBuffer of its own, fit for a transfer list. By default small results of one call
   * share one buffer, and large ones come from a pool.
   */
  readonly transferable?: boolean;
}

export interface ColumnsOptions extends FormOptions, RunOptions, PlacementOptions {
  /**
   * Where the values go: for each named column an array of the type and length that the result would have (raw items of
   * S and U with `strings: 'bytes'`; nullable columns with `nulls: 'bitmap'` or 'nan'). Columns that are not named get
   * new ones. They must not overlap.
   */
  readonly out?: OutArrays;
}

export interface ArrayOptions extends FormOptions, RunOptions, PlacementOptions {
  /** Where the values go; see `ColumnsOptions.out`. */
  readonly out?: FixedArray;
}

/** How rows and batches come where they go on as JSON. */
export interface JsonOptions {
  /**
   * Values that `JSON.stringify` writes as they are: moments as ISO 8601 text (with a `Z`, as they are UTC), 64-bit
   * integers and timedeltas as numbers within +-2^53 and as decimal text beyond, bytes in base64, NaN, infinities and
   * NaT as text ('NaN', '-Infinity', 'NaT').
   */
  readonly json?: boolean;
  /** With `json`: NaN and NaT as text (the default), or as null. */
  readonly nan?: 'text' | 'null';
}

export interface RowOptions extends RunOptions, JsonOptions, Pick<FormOptions, 'int64' | 'dates'> {}

/** A text column as codes into its distinct values. Code -1 is null. */
export interface DictionaryColumn {
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

/**
 * A nullable column without its nulls, and which rows are not null: one bit a row, least significant first. What a null
 * row holds is 0, '' or no bytes.
 */
export interface BitmapColumn<V> {
  readonly values: V;
  readonly validity: Uint8Array;
}

type Chosen<O, Key extends string, Default> = Key extends keyof O
  ? Exclude<O[Key], undefined> | (undefined extends O[Key] ? Default : never)
  : Default;
type TextDType = FixedStringDType | 'string';

type DateTimeDType = Extract<TimeDType, `datetime64${string}`>;
/** Whether datetimes come as Date. */
type AsDates<O> = Chosen<O, 'dates', 'ticks'> extends 'ticks' ? false : true;

/** Arrays of one column where no row is null, by its options. */
type ValuesResult<D extends DType, O> = D extends DateTimeDType
  ? AsDates<O> extends true
    ? Date[]
    : ArrayOf<D>
  : PlainResult<D, O>;

type PlainResult<D extends DType, O> = D extends BigIntDType
  ? Chosen<O, 'int64', 'bigint'> extends infer I
    ? I extends 'number'
      ? Float64Array
      : ArrayOf<D>
    : never
  : D extends FixedStringDType
    ? Chosen<O, 'strings', 'values'> extends infer S
      ? S extends 'dictionary'
        ? DictionaryColumn
        : S extends 'bytes'
          ? Uint8Array
          : string[]
      : never
    : D extends 'string'
      ? Chosen<O, 'strings', 'values'> extends infer S
        ? S extends 'dictionary'
          ? DictionaryColumn
          : string[]
        : never
      : ArrayOf<D>;

type NullableList<D extends DType, O> = D extends DateTimeDType
  ? AsDates<O> extends true
    ? (Date | null)[]
    : (bigint | null)[]
  : PlainNullableList<D, O>;

type PlainNullableList<D extends DType, O> = D extends BigIntDType
  ? Chosen<O, 'int64', 'bigint'> extends infer I
    ? I extends 'number'
      ? (number | null)[]
      : (bigint | null)[]
    : never
  : (ValueOf<D> | null)[];
type NanResult<D extends DType, O> = D extends DateTimeDType
  ? AsDates<O> extends true
    ? (Date | null)[]
    : BigInt64Array
  : D extends TimeDType
    ? BigInt64Array
    : D extends FixedStringDType | 'string' | 'binary' | 'float128'
      ? ValuesResult<D, O> extends infer V
        ? V extends string[]
          ? (string | null)[]
          : V extends DictionaryColumn
            ? V
            : NullableList<D, O>
        : never
      : D extends 'float16'
        ? Float16ArrayLike
        : D extends 'float32'
          ? Float32Array
          : Float64Array;

type NullableResult<D extends DType, O> =
  Chosen<O, 'nulls', 'array'> extends infer N
    ? D extends TextDType
      ? Chosen<O, 'strings', 'values'> extends infer S
        ? S extends 'dictionary'
          ? DictionaryColumn
          : NullableForm<D, O, N>
        : never
      : NullableForm<D, O, N>
    : never;
type NullableForm<D extends DType, O, N> = N extends 'bitmap'
  ? BitmapColumn<ValuesResult<D, O>>
  : N extends 'nan'
    ? NanResult<D, O>
    : NullableList<D, O>;

/** One column of a result. */
export type ColumnResult<T extends ColumnType, O = object> = O extends { readonly json: true }
  ? CellOf<T, O>[]
  : ArrayResult<T, O>;

type ArrayResult<T extends ColumnType, O> = T extends ColumnType
  ? T['nullable'] extends infer N
    ? N extends true
      ? NullableResult<T['dtype'], O>
      : ValuesResult<T['dtype'], O>
    : never
  : never;

/** All columns of a result, by name. */
export type ColumnsResult<S extends TableTypes, O = object> = { -readonly [Name in keyof S]: ColumnResult<S[Name], O> };

/** What JSON has for a value of a dtype. */
type JsonValueOf<D extends DType> = D extends 'bool'
  ? boolean
  : D extends 'int8' | 'int16' | 'int32' | 'uint8' | 'uint16' | 'uint32'
    ? number
    : D extends DateTimeDType | FixedStringDType | 'string' | 'binary' | 'float128'
      ? string
      : number | string;

/** Null for what has a NaN or a NaT. */
type NullOfNaN<D extends DType> = D extends 'float16' | 'float32' | 'float64' | TimeDType ? null : never;

/** One value of a column. */
export type CellOf<T extends ColumnType, O = object> = O extends { readonly json: true }
  ?
      | JsonValueOf<T['dtype']>
      | (T['nullable'] extends false ? never : null)
      | (O extends { readonly nan: 'null' } ? NullOfNaN<T['dtype']> : never)
  : PlainCellOf<T, O>;

type PlainCellOf<T extends ColumnType, O = object> = T extends ColumnType
  ?
      | (T['dtype'] extends infer D
          ? D extends BigIntDType
            ? Chosen<O, 'int64', 'bigint'> extends infer I
              ? I extends 'number'
                ? number
                : bigint
              : never
            : D extends DateTimeDType
              ? AsDates<O> extends true
                ? Date
                : bigint
              : D extends DType
                ? ValueOf<D>
                : never
          : never)
      | (T['nullable'] extends infer N ? (N extends true ? null : never) : never)
  : never;

/** One row, by column name. */
export type RowOf<S extends TableTypes, O = object> = { -readonly [Name in keyof S]: CellOf<S[Name], O> };

/** Form options with every choice made. */
export interface Form {
  readonly int64: 'bigint' | 'number';
  readonly nulls: 'array' | 'bitmap' | 'nan';
  readonly strings: 'values' | 'dictionary' | 'bytes';
  readonly dates: 'ticks' | 'date' | 'date-lossy';
}

/** Checked options with every choice made. */
export function parseForm({
  int64 = 'bigint',
  nulls = 'array',
  strings = 'values',
  dates = 'ticks',
}: FormOptions): Form {
  return { int64, nulls, strings, dates };
}

export const FORM_OPTIONS: OptionSet<FormOptions> = {
  int64: option.word('bigint', 'number'),
  nulls: option.word('array', 'bitmap', 'nan'),
  strings: option.word('values', 'dictionary', 'bytes'),
  dates: option.word('ticks', 'date', 'date-lossy'),
};

export const RUN_OPTIONS: OptionSet<RunOptions> = { workers: option.count('threads'), signal: option.signal };

export const PLACEMENT_OPTIONS: OptionSet<PlacementOptions> = { transferable: option.flag };

export const COLUMNS_OPTIONS: OptionSet<ColumnsOptions> = {
  ...FORM_OPTIONS,
  ...RUN_OPTIONS,
  ...PLACEMENT_OPTIONS,
  out: option.byName('an object or a Map of arrays by column'),
};

export const ARRAY_OPTIONS: OptionSet<ArrayOptions> = {
  ...FORM_OPTIONS,
  ...RUN_OPTIONS,
  ...PLACEMENT_OPTIONS,
  out: option.object('a typed array'),
};

export interface ArrowOptions extends RunOptions {
  /**
   * Text as Utf8 (the default), or as a Dictionary of Int32 codes into distinct Utf8 texts: far fewer bytes where texts
   * repeat, and more where most differ.
   */
  readonly strings?: 'values' | 'dictionary';
}

export const ARROW_OPTIONS: OptionSet<ArrowOptions> = {
  ...RUN_OPTIONS,
  strings: option.word('values', 'dictionary'),
};

export const JSON_OPTIONS: OptionSet<JsonOptions> = { json: option.flag, nan: option.word('text', 'null') };

export const ROW_OPTIONS: OptionSet<RowOptions> = {
  ...RUN_OPTIONS,
  ...JSON_OPTIONS,
  int64: FORM_OPTIONS.int64,
  dates: FORM_OPTIONS.dates,
};

export interface RecordOptions extends RunOptions, PlacementOptions {}

export const RECORD_OPTIONS: OptionSet<RecordOptions> = { ...RUN_OPTIONS, ...PLACEMENT_OPTIONS };

export interface BatchOptions extends FormOptions, RunOptions, PlacementOptions, JsonOptions {
  /** Most rows of a batch; default 65536. */
  readonly rows?: number;
  /**
   * About how many bytes the values of a batch take at most, but for a row; default 64 MiB (of columns of fixed width
   * 256 MiB), with `rows` any number.
   */
  readonly bytes?: number;
}

export const BATCH_OPTIONS: OptionSet<BatchOptions> = {
  ...FORM_OPTIONS,
  ...RUN_OPTIONS,
  ...PLACEMENT_OPTIONS,
  ...JSON_OPTIONS,
  rows: option.count('rows', 1),
  bytes: option.count('bytes', 1),
};
