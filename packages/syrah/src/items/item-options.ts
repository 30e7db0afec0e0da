// What can be asked of reading items, and how it is checked.
import { option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { SYRAH_DTYPES } from '../layout/dtype.ts';
import type { SyrahArray, SyrahDType } from '../layout/dtype.ts';
import type { Int64Form } from './safe-numbers.ts';

/** A number, negative from the end, or a name where the file names its items. */
export type ItemReference = number | bigint | string;

export interface ItemOptions<Key extends string = string> {
  /** Only these keys, in this order. */
  readonly keys?: readonly Key[];
  /** The result's memory can be put on a transfer list. */
  readonly transferable?: boolean;
  /** 'number' makes Float64Arrays of int64 and uint64: exact, or ArgumentError ERR_UNSAFE_INTEGER. */
  readonly int64?: Int64Form;
  /** Rejects (the Sync forms throw) with the signal's reason; nothing more is read then. */
  readonly signal?: AbortSignal;
}

export interface ArrayOptions {
  /**
   * Reads the stored bytes as another dtype. Only float128 as float64 converts, with loss: 11 bits of precision, and
   * most of the exponent's range.
   */
  readonly dtype?: SyrahDType;
  /**
   * Where the elements go: an array of the dtype and of the exact length (a Uint8Array for bool and for the raw bytes
   * of float128). It is also the result.
   */
  readonly out?: SyrahArray;
  /** As in ItemOptions; not together with `out`. */
  readonly int64?: Int64Form;
  /** Rejects (the Sync forms throw) with the signal's reason; nothing more is read then. */
  readonly signal?: AbortSignal;
}

export interface GatherOptions {
  /** As in ArrayOptions, for all items together. */
  readonly out?: SyrahArray;
  /** As in ItemOptions. */
  readonly transferable?: boolean;
  /** As in ArrayOptions. */
  readonly int64?: Int64Form;
  /** Rejects (the Sync forms throw) with the signal's reason; nothing more is read then. */
  readonly signal?: AbortSignal;
}

/** What `viewItem` takes. */
export type ViewOptions<Key extends string = string> = Pick<ItemOptions<Key>, 'keys'>;

/** What `gatherKeys` takes. */
export type GatherKeysOptions = Omit<GatherOptions, 'out' | 'int64'>;

const int64 = option.word<Int64Form>('bigint', 'number');
const out = option.object<SyrahArray>('an array for the elements');

const ITEM_OPTIONS: OptionSet<ItemOptions> = {
  keys: option.names,
  transferable: option.flag,
  int64,
  signal: option.signal,
};
const ARRAY_OPTIONS: OptionSet<ArrayOptions> = {
  dtype: option.word(...SYRAH_DTYPES),
  out,
  int64,
  signal: option.signal,
};
const GATHER_OPTIONS: OptionSet<GatherOptions> = {
  out,
  transferable: option.flag,
  int64,
  signal: option.signal,
};
const GATHER_KEYS_OPTIONS: OptionSet<GatherKeysOptions> = { transferable: option.flag, signal: option.signal };
const VIEW_OPTIONS: OptionSet<ViewOptions> = { keys: option.names };
const SIGNAL_OPTION: OptionSet<{ readonly signal: AbortSignal }> = { signal: option.signal };
/** By method. */
export const OPTIONS_OF = {
  fingerprint: SIGNAL_OPTION,
  gatherItems: GATHER_OPTIONS,
  gatherKeys: GATHER_KEYS_OPTIONS,
  getArray: ARRAY_OPTIONS,
  getItem: ITEM_OPTIONS,
  viewItem: VIEW_OPTIONS,
} as const;
/** The default of options, which needs no check. */
export const NO_OPTIONS = Object.freeze({});
