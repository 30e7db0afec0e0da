// What a caller can say about a CSV file, checked, with every choice made.
import { ArgumentError, describeValue, option } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { givenTypes } from '../../text-input/given-types.ts';
import type { GivenTypes } from '../../text-input/given-types.ts';
import type { Dialect } from '../cells/tokenizer.ts';

export interface CsvOptions {
  /** One ASCII character between cells; default ','. */
  readonly separator?: string;
  /**
   * One ASCII character around cells that hold separators, quotes or line breaks; doubled, it stands for itself.
   * Default '"'; null: none.
   */
  readonly quote?: string | null;
  /**
   * Whether the first row holds the names; default true. What has no name is called column0, column1, … (column00 where
   * there are more than ten), and a name that is there again a_1, a_2, …: as in DuckDB.
   */
  readonly header?: boolean;
  /**
   * The names, in place of those of the header: as many, or one more where the rows have one cell more (as R writes
   * them: names of rows).
   */
  readonly names?: readonly string[];
  /**
   * The columns that are read, in this order; default all, as they come. Of the others only what tells cells and rows
   * apart is looked at (and whether they are UTF-8).
   */
  readonly columns?: readonly string[];
  /**
   * The dtypes of some columns; those of the others are found out from all of their values. A value that does not fit
   * its given type makes its row a rejected one. What people write for a given type is taken: `007`, `+5`, `5.0` and
   * `1e3` for integers, numbers that a float has to round, true, t, yes, y, 1 and their opposites for bool (in any
   * case), and moments with an offset (`+02:00`, `+0200`, `+02`, `Z`, `UTC`), which become UTC and are told in `notes`.
   */
  readonly types?: GivenTypes;
  /** What stands for null where it is not quoted; default the empty cell. */
  readonly nullWords?: readonly string[];
  /**
   * What text columns become: 'string', the default, or, for formats without it, 'fixed': S<n> where all is ASCII, else
   * U<n>, as wide as the longest value.
   */
  readonly text?: 'string' | 'fixed';
  /**
   * What happens at a row that cannot be taken (another number of cells, a broken quote, text that is no UTF-8, a value
   * that does not fit its given type): 'stop', the default, throws; 'skip' leaves it out and tells.
   */
  readonly onError?: 'stop' | 'skip';
  /**
   * Most bytes of parsed values that are kept, so that a column that is read after another need not be parsed again;
   * default 256 MiB.
   */
  readonly memoryBytes?: number;
  /** Ends the parsing with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface CsvPlan {
  readonly dialect: Dialect;
  readonly header: boolean;
  readonly names: readonly string[] | null;
  readonly columns: readonly string[] | null;
  readonly types: ReadonlyMap<string, DTypeInfo>;
  readonly nullWords: readonly Uint8Array[];
  readonly text: 'string' | 'fixed';
  readonly onError: 'stop' | 'skip';
  readonly memoryBytes: number;
  readonly signal: AbortSignal | null;
}

export const CSV_OPTIONS: OptionSet<CsvOptions> = {
  separator: option.text,
  quote: option.kind('a text, or null for none', (value) => value === null || typeof value === 'string'),
  header: option.flag,
  names: option.names,
  columns: option.names,
  types: option.byName('an object or a Map of dtypes by column'),
  nullWords: option.names,
  text: option.word('string', 'fixed'),
  onError: option.word('stop', 'skip'),
  memoryBytes: option.count('bytes'),
  signal: option.signal,
};

const MEMORY_BYTES = 256 * 2 ** 20;
/** @throws ArgumentError; UnsupportedError ERR_DTYPE. */
export function parseCsvOptions(options: CsvOptions): CsvPlan {
  const {
    separator = ',',
    quote = '"',
    header = true,
    names,
    columns,
    types = {},
    nullWords = [''],
    text = 'string',
    onError = 'stop',
    memoryBytes = MEMORY_BYTES,
    signal,
  } = options;
  const dialect = {
    separator: asciiByte('separator', separator),
    quote: quote === null ? -1 : asciiByte('quote', quote),
  };
  if (dialect.separator === dialect.quote)
    throw new ArgumentError('ERR_ARGUMENT', 'quote', 'another character than the separator', describeValue(quote));
  const encoder = new TextEncoder();
  return {
    dialect,
    header,
    names: names ?? null,
    columns: columns ?? null,
    types: givenTypes(types),
    nullWords: nullWords.map((word) => encoder.encode(word)),
    text,
    onError,
    memoryBytes,
    signal: signal ?? null,
  };
}

function asciiByte(argument: string, character: unknown): number {
  const code = typeof character === 'string' && character.length === 1 ? character.charCodeAt(0) : 0;
  if (code === 0 || code > 0x7f || code === 10 || code === 13)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      argument,
      'one ASCII character that is no line break',
      describeValue(character),
    );
  return code;
}
