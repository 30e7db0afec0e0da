// What can be asked of a writer, checked once, before anything is written.
import { ArgumentError, UnknownColumnError, describeValue, isMap, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { ENCODING_NAMES, MAX_PAGE_ROWS } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { FileOptions } from './file-encoder.ts';
import { WRITE_MODES } from '../encode/modes.ts';
import type { WriteMode } from '../encode/modes.ts';

/** An encoding that can be asked for; which applies depends on the values. */
export type ForcedEncoding = Exclude<EncodingName, 'CODES'>;

/** How values become bytes. */
export interface EncodingOptions {
  /**
   * What decoding time is worth in bytes. 'default': 0.11 bytes a nanosecond, as though the file came at
   * 110 MB/s: small, and fast to decode. 'fast': half a byte, for files that lie in memory. 'smallest': nothing, the
   * fewest bytes whatever they cost. 'plain': nothing is encoded, so that fixed-width pages without nulls are arrays in
   * the file, which readers view without a copy.
   */
  readonly mode?: WriteMode;
  /**
   * By column name, the only encoding for its pages, even where another is smaller. Where it does not apply to the
   * values, ArgumentError ERR_VALUE.
   */
  readonly encodings?: Readonly<Record<string, ForcedEncoding>> | ReadonlyMap<string, ForcedEncoding>;
  /**
   * Whether columns that determine each other may share one dictionary within a row group, where that is smaller.
   * Default true, except in mode 'fast': to look for them takes time. Reading one of them then reads the codes of all
   * of them, once.
   */
  readonly joint?: boolean;
  /**
   * Rows of a row group, default 524,288: what is held in memory at a time, and the least that `recover` keeps. The
   * last row group of a call may be shorter.
   */
  readonly rowGroupSize?: number;
  /**
   * Most rows of a page, a multiple of 8 up to 65,536, the default: what a reader decodes at a time, and the least that
   * statistics skip. Pages of long strings are cut earlier.
   */
  readonly pageRows?: number;
}

export const ENCODING_OPTIONS: OptionSet<EncodingOptions> = {
  mode: option.word(...WRITE_MODES),
  encodings: option.byName('an object or a Map of encodings by column'),
  joint: option.flag,
  rowGroupSize: option.count('rows', 1, 0xffffffff),
  pageRows: option.kind(
    `a multiple of 8 in [8, ${MAX_PAGE_ROWS}]`,
    (value) => typeof value === 'number' && value >= 8 && value <= MAX_PAGE_ROWS && value % 8 === 0,
  ),
};

const DEFAULT_ROW_GROUP_SIZE = 524_288;

/**
 * `options` as the encoder takes them.
 * @throws ArgumentError; UnknownColumnError for an encoding of a column that is not there.
 */
export function encoderOptions(options: EncodingOptions, columnNames: readonly string[]): FileOptions {
  const { mode, joint, pageRows } = encodingSettings(options);
  return { mode, joint, pageRows, encodings: forcedEncodings(options.encodings, columnNames) };
}

/** What is said of all columns, with every choice made. */
export function encodingSettings(
  options: EncodingOptions,
): Omit<FileOptions, 'encodings'> & { readonly rowGroupSize: number } {
  const { mode = 'default', rowGroupSize = DEFAULT_ROW_GROUP_SIZE, pageRows = MAX_PAGE_ROWS } = options;
  const { joint = mode !== 'fast' } = options;
  return { mode, joint, pageRows, rowGroupSize };
}

function forcedEncodings(
  given: EncodingOptions['encodings'],
  columnNames: readonly string[],
): ReadonlyMap<number, EncodingName> {
  const forced = new Map<number, EncodingName>();
  const entries: Iterable<readonly [string, ForcedEncoding]> =
    given === undefined ? [] : isMap(given) ? given : Object.entries(given);
  for (const [name, encoding] of entries) {
    const column = columnNames.indexOf(name);
    if (column === -1) throw new UnknownColumnError(name, columnNames);
    if (!ENCODING_NAMES.includes(encoding) || (encoding as string) === 'CODES') {
      const offered = ENCODING_NAMES.filter((each) => each !== 'CODES').join(', ');
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `encodings[${JSON.stringify(name)}]`,
        `one of ${offered}`,
        describeValue(encoding),
      );
    }
    forced.set(column, encoding);
  }
  return forced;
}
