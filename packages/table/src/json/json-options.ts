// What a caller can say about JSON that comes in, checked, with every choice made.
import { option } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { givenTypes } from '../text-input/given-types.ts';
import type { GivenTypes } from '../text-input/given-types.ts';

export interface JsonInputOptions {
  /** The columns that are read, in this order; default all, in the order in which rows first have them. */
  readonly columns?: readonly string[];
  /**
   * The dtypes of some columns; those of the others are found out from all of their values. What people write for a
   * given type is taken: text that holds a number, 0, 1, "yes" and "no" for bool, moments with an offset (which become
   * UTC), numbers for text, base64 for `binary`. A value that does not fit its given type makes its row a rejected one.
   * Of a file without rows they are the columns.
   */
  readonly types?: GivenTypes;
  /** Columns of `types` that no row has to have: where none has, they are null in all of them. */
  readonly optional?: readonly string[];
  /**
   * What happens to lists and objects within a row, which a table cannot hold: 'refuse', the default, makes the row a
   * rejected one; 'single' takes the value of a list that has one, and refuses others; 'text' keeps them as their JSON
   * text.
   */
  readonly nested?: 'refuse' | 'single' | 'text';
  /**
   * What text columns become: 'string', the default, or, for formats without it, 'fixed': S<n> where all is ASCII, else
   * U<n>, as wide as the longest value.
   */
  readonly text?: 'string' | 'fixed';
  /** What happens at a row that cannot be taken: 'stop', the default, throws; 'skip' leaves it out and tells. */
  readonly onError?: 'stop' | 'skip';
  /**
   * Most bytes of parsed values that are kept, so that a column that is read after another need not be parsed again;
   * default 256 MiB.
   */
  readonly memoryBytes?: number;
  /** Ends the parsing with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface JsonPlan {
  readonly columns: readonly string[] | null;
  readonly types: ReadonlyMap<string, DTypeInfo>;
  readonly optional: readonly string[];
  readonly nested: 'refuse' | 'single' | 'text';
  readonly text: 'string' | 'fixed';
  readonly onError: 'stop' | 'skip';
  readonly memoryBytes: number;
  readonly signal: AbortSignal | undefined;
}

export const JSON_INPUT_OPTIONS: OptionSet<JsonInputOptions> = {
  columns: option.names,
  types: option.byName('an object or a Map of dtypes by column'),
  optional: option.names,
  nested: option.word('refuse', 'single', 'text'),
  text: option.word('string', 'fixed'),
  onError: option.word('stop', 'skip'),
  memoryBytes: option.count('bytes'),
  signal: option.signal,
};

const MEMORY_BYTES = 256 * 2 ** 20;

/** @throws ArgumentError; UnsupportedError ERR_DTYPE. */
export function parseJsonOptions(options: JsonInputOptions): JsonPlan {
  const { columns, types = {}, nested = 'refuse', text = 'string', onError = 'stop' } = options;
  return {
    columns: columns ?? null,
    types: givenTypes(types, ['binary']),
    optional: options.optional ?? [],
    nested,
    text,
    onError,
    memoryBytes: options.memoryBytes ?? MEMORY_BYTES,
    signal: options.signal,
  };
}
