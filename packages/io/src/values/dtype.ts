// The element-type vocabulary of all formats: numpy's names, the bytes of one item, and the JavaScript array that holds
// them.
import { Float16Array as PonyfillFloat16Array } from '@petamoriken/float16';
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError, UnsupportedError } from '../errors/errors.ts';
import { nearestName } from '../errors/nearest-name.ts';

/**
 * Units of datetime64 and timedelta64, coarse to fine; a multiple such as `25s` is legal, and so is none at all
 * ('generic').
 */
export type TimeUnit = 'Y' | 'M' | 'W' | 'D' | 'h' | 'm' | 's' | 'ms' | 'us' | 'ns' | 'ps' | 'fs' | 'as';

export type NumberDType =
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'float16'
  | 'float32'
  | 'float64';
export type BigIntDType = 'int64' | 'uint64';
export type TimeDType = `datetime64[${string}]` | `timedelta64[${string}]` | 'datetime64' | 'timedelta64';
export type FixedStringDType = `S${number}` | `U${number}`;
export type VariableDType = 'string' | 'binary';
/** Every dtype name that some format stores; each format supports its subset. */
export type DType = 'bool' | NumberDType | BigIntDType | TimeDType | FixedStringDType | VariableDType | 'float128';

/**
 * A half-precision array: the runtime's own where there is one (Node 24), else the ponyfill of `@petamoriken/float16`.
 * Both are bytes of IEEE halves that read as numbers.
 */
export type Float16ArrayLike = PonyfillFloat16Array;

/** What the values of a fixed-width column look like in JavaScript: `array` in bulk, `value` one by one. */
export interface DTypeMap {
  bool: { value: boolean; array: Uint8Array };
  int8: { value: number; array: Int8Array };
  uint8: { value: number; array: Uint8Array };
  int16: { value: number; array: Int16Array };
  uint16: { value: number; array: Uint16Array };
  int32: { value: number; array: Int32Array };
  uint32: { value: number; array: Uint32Array };
  int64: { value: bigint; array: BigInt64Array };
  uint64: { value: bigint; array: BigUint64Array };
  float16: { value: number; array: Float16ArrayLike };
  float32: { value: number; array: Float32Array };
  float64: { value: number; array: Float64Array };
  string: { value: string; array: string[] };
  binary: { value: Uint8Array; array: Uint8Array[] };
}

export type FixedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float16ArrayLike
  | Float32Array
  | Float64Array;

/** 64-bit ticks of `step` `unit`s (unit null: generic); NaT is the smallest int64. */
interface TimeInfo {
  readonly name: DType;
  readonly itemBytes: 8;
  readonly unit: TimeUnit | null;
  readonly step: number;
}

/** A dtype taken apart. `kind` groups what is handled alike; `itemBytes` is 0 for variable-width kinds. */
export type DTypeInfo =
  | { readonly kind: 'bool'; readonly name: DType; readonly itemBytes: 1 }
  | { readonly kind: 'int' | 'uint' | 'float'; readonly name: DType; readonly itemBytes: number }
  | (TimeInfo & { readonly kind: 'datetime' })
  | (TimeInfo & { readonly kind: 'timedelta' })
  /** `length` bytes, padded with NUL on the right. */
  | { readonly kind: 'bytes'; readonly name: DType; readonly itemBytes: number; readonly length: number }
  /** `length` UCS-4 code points, padded with NUL on the right. */
  | { readonly kind: 'unicode'; readonly name: DType; readonly itemBytes: number; readonly length: number }
  | { readonly kind: 'string' | 'binary'; readonly name: DType; readonly itemBytes: 0 };

const PLAIN: ReadonlyMap<string, DTypeInfo> = new Map(
  (
    [
      { kind: 'bool', name: 'bool', itemBytes: 1 },
      { kind: 'int', name: 'int8', itemBytes: 1 },
      { kind: 'uint', name: 'uint8', itemBytes: 1 },
      { kind: 'int', name: 'int16', itemBytes: 2 },
      { kind: 'uint', name: 'uint16', itemBytes: 2 },
      { kind: 'int', name: 'int32', itemBytes: 4 },
      { kind: 'uint', name: 'uint32', itemBytes: 4 },
      { kind: 'int', name: 'int64', itemBytes: 8 },
      { kind: 'uint', name: 'uint64', itemBytes: 8 },
      { kind: 'float', name: 'float16', itemBytes: 2 },
      { kind: 'float', name: 'float32', itemBytes: 4 },
      { kind: 'float', name: 'float64', itemBytes: 8 },
      { kind: 'float', name: 'float128', itemBytes: 16 },
      { kind: 'string', name: 'string', itemBytes: 0 },
      { kind: 'binary', name: 'binary', itemBytes: 0 },
    ] as const satisfies readonly DTypeInfo[]
  ).map((info) => [info.name, info]),
);

const TIME = /^(datetime|timedelta)64(?:\[([1-9]\d{0,9})?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?$/;
const FIXED_STRING = /^([SU])([1-9]\d{0,8})$/;

/** What other libraries and languages call them. */
const OTHER_NAMES: ReadonlyMap<string, DType> = new Map<string, DType>([
  ['str', 'string'],
  ['text', 'string'],
  ['utf8', 'string'],
  ['boolean', 'bool'],
  ['int', 'int64'],
  ['integer', 'int64'],
  ['bigint', 'int64'],
  ['long', 'int64'],
  ['float', 'float64'],
  ['double', 'float64'],
  ['number', 'float64'],
  ['half', 'float16'],
  ['byte', 'uint8'],
  ['bytes', 'binary'],
  ['date', 'datetime64[ms]'],
  ['datetime', 'datetime64[ms]'],
  ['timestamp', 'datetime64[ms]'],
]);

/**
 * Takes a dtype name apart.
 * @throws UnsupportedError ERR_DTYPE for a name outside the vocabulary; ArgumentError for what is no name.
 */
export function parseDType(name: string): DTypeInfo {
  const plain = PLAIN.get(name);
  if (plain !== undefined) return plain;
  const given: unknown = name;
  if (typeof given !== 'string')
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'dtype',
      "the name of an element type, such as 'int32'",
      describeValue(given),
    );
  const time = TIME.exec(name);
  if (time !== null) {
    const kind = time[1] === 'datetime' ? 'datetime' : 'timedelta';
    return {
      kind,
      name: name as DType,
      itemBytes: 8,
      unit: (time[3] as TimeUnit | undefined) ?? null,
      step: time[2] === undefined ? 1 : Number(time[2]),
    };
  }
  const fixed = FIXED_STRING.exec(name);
  if (fixed !== null) {
    const length = Number(fixed[2]);
    return fixed[1] === 'S'
      ? { kind: 'bytes', name: name as DType, itemBytes: length, length }
      : { kind: 'unicode', name: name as DType, itemBytes: 4 * length, length };
  }
  const meant = OTHER_NAMES.get(name.toLowerCase()) ?? nearestName(name, PLAIN.keys());
  throw new UnsupportedError(
    'ERR_DTYPE',
    name,
    `unsupported dtype ${describeValue(name)}${meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`}`,
  );
}

/** Whether a name is a dtype of the vocabulary. */
export function isDType(name: string): name is DType {
  return PLAIN.has(name) || TIME.test(name) || FIXED_STRING.test(name);
}
