// What can be asked of a writer, checked once, before anything is written.
import { ArgumentError, UnknownColumnError, checkWord, describeValue } from '@colkit/io';
import { ENCODING_NAMES, MAX_PAGE_ROWS } from '../layout/constants.ts';
import type { EncodingName } from '../layout/constants.ts';
import type { FileOptions } from './file-encoder.ts';
import { WRITE_MODES } from './modes.ts';
import type { WriteMode } from './modes.ts';

/** An encoding that can be asked for; which applies depends on the values. */
export type ForcedEncoding = Exclude<EncodingName, 'CODES'>;

/** How values become bytes. */
export interface EncodingOptions {
  /**
   * 'default': small, and fast to decode: what decodes slowly must earn it. 'smallest': the fewest bytes, whatever they cost. 'plain': nothing is encoded, so that fixed-width pages without
   * nulls are arrays in the file, which readers view without a copy.
   */
  readonly mode?: WriteMode;
  /** By column name, the only encoding for its pages, even where another is smaller. Where it does not apply to the values, ArgumentError ERR_VALUE. */
  readonly encodings?: Readonly<Record<string, ForcedEncoding>> | ReadonlyMap<string, ForcedEncoding>;
  /** Whether columns that determine each other may share one dictionary within a row group, where that is smaller. Default true. Reading one of them then reads the codes of all of them, once. */
  readonly joint?: boolean;
  /** Rows of a row group, default 524,288: what is held in memory at a time, and the least that `append` and `recover` keep. The last row group of a call may be shorter. */
  readonly rowGroupSize?: number;
  /** Most rows of a page, a multiple of 8 up to 65,536, the default: what a reader decodes at a time, and the least that statistics skip. Pages of long strings are cut earlier. */
  readonly pageRows?: number;
}

const DEFAULT_ROW_GROUP_SIZE = 524_288;

/** `options` as the encoder takes them. @throws ArgumentError; UnknownColumnError for an encoding of a column that is not there. */
export function encoderOptions(options: EncodingOptions, columnNames: readonly string[]): FileOptions {
  const { mode, joint, pageRows } = checkOptions(options);
  return { mode, joint, pageRows, encodings: forcedEncodings(options.encodings, columnNames) };
}

/** All that can be looked at before the columns are known. @throws ArgumentError. */
export function checkOptions(options: EncodingOptions): Omit<FileOptions, 'encodings'> & { readonly rowGroupSize: number } {
  const { mode = 'default', joint = true, rowGroupSize = DEFAULT_ROW_GROUP_SIZE, pageRows = MAX_PAGE_ROWS } = options;
  checkWord(mode, WRITE_MODES, 'options.mode');
  if (typeof joint !== 'boolean') throw new ArgumentError('ERR_ARGUMENT', 'options.joint', 'true or false', describeValue(joint));
  if (!Number.isInteger(rowGroupSize) || rowGroupSize < 1 || rowGroupSize > 0xffffffff) throw new ArgumentError('ERR_ARGUMENT', 'options.rowGroupSize', 'an integer in [1, 4294967295]', String(rowGroupSize));
  if (!Number.isInteger(pageRows) || pageRows < 8 || pageRows % 8 !== 0 || pageRows > MAX_PAGE_ROWS) {
    throw new ArgumentError('ERR_ARGUMENT', 'options.pageRows', `a multiple of 8 in [8, ${MAX_PAGE_ROWS}]`, String(pageRows));
  }
  return { mode, joint, pageRows, rowGroupSize };
}

function forcedEncodings(given: EncodingOptions['encodings'], columnNames: readonly string[]): ReadonlyMap<number, EncodingName> {
  const forced = new Map<number, EncodingName>();
  if (given !== undefined && (typeof (given as unknown) !== 'object' || (given as unknown) === null)) throw new ArgumentError('ERR_ARGUMENT', 'options.encodings', 'an object or a Map of encodings by column', describeValue(given));
  const entries: Iterable<readonly [string, ForcedEncoding]> = given === undefined ? [] : given instanceof Map ? (given as ReadonlyMap<string, ForcedEncoding>) : Object.entries(given);
  for (const [name, encoding] of entries) {
    const column = columnNames.indexOf(name);
    if (column === -1) throw new UnknownColumnError(name, columnNames);
    if (!ENCODING_NAMES.includes(encoding) || (encoding as string) === 'CODES') {
      const offered = ENCODING_NAMES.filter((each) => each !== 'CODES').join(', ');
      throw new ArgumentError('ERR_ARGUMENT', `options.encodings[${JSON.stringify(name)}]`, `one of ${offered}`, describeValue(encoding));
    }
    forced.set(column, encoding);
  }
  return forced;
}
