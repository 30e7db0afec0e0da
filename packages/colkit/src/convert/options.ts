// What a command line says about a conversion -> options of the writers and readers; what is not for this conversion is
// a UsageError, so that nobody believes that it did something.
import type { Option } from 'commander';
import type { JsonInputOptions } from '@colkit/table/json';
import type { DType, EncodingOptions, ForcedEncoding, WriteCsvOptions, WriteMode } from 'columna';
import {
  AS_JSON,
  COLUMNS,
  UsageError,
  choice,
  flag,
  list,
  namesBetween,
  text,
  uniquePairs,
  whole,
} from '../terminal/verb.ts';
import type { JsonOption } from '../terminal/verb.ts';
import type { ToCsvOptions } from '../tables/to-csv.ts';
import { SHAPE_OPTIONS } from '../tables/reshaped.ts';
import type { ShapeOptions } from '../tables/reshaped.ts';
import { ENDS } from './ends.ts';
import type { End } from './ends.ts';

const MODES = ['default', 'fast', 'smallest', 'plain'] as const satisfies readonly WriteMode[];
const ENCODINGS = [
  'PLAIN',
  'DELTA',
  'DICTIONARY',
  'RLE',
  'BITPACK',
  'DECIMAL',
  'AFFINE',
  'PATCHED',
  'ENTROPY',
  'BITS',
  'CODES',
  'BLOCKS',
  'ONPAIR',
  'MATCHES',
  'FRONT',
] as const;
const NESTED = ['refuse', 'single', 'text'] as const;
const LAYOUTS = ['flat', 'records'] as const;

export interface TextOptions {
  readonly separator?: string;
  readonly null?: readonly string[];
  /** commander's, of `--no-header`. */
  readonly header: boolean;
  readonly names?: string;
  readonly type?: readonly string[];
  readonly skipRejected?: true;
  readonly nested?: (typeof NESTED)[number];
}

export interface ConvertOptions extends JsonOption, ShapeOptions, TextOptions {
  readonly from?: End;
  readonly to?: End;
  readonly overwrite?: true;
  readonly dryRun?: true;
  readonly schema?: string;
  readonly align?: number;
  readonly layout?: (typeof LAYOUTS)[number];
  readonly mode?: WriteMode;
  readonly rowGroupSize?: number;
  readonly pageRows?: number;
  /** commander's, of `--joint` and `--no-joint`. */
  readonly joint?: boolean;
  readonly encoding?: readonly string[];
}

/** What text is, that comes in or goes out. */
export const TEXT_OPTIONS: readonly Option[] = [
  text(
    '--separator <C>',
    'CSV: the character between cells, or tab; it, --null and --no-header are of the file that is read where CSV is ' +
      'written too',
  ),
  list(
    '--null <WORD>',
    'CSV: what stands for null where it is not quoted, in place of the empty cell; in, it may be repeated ' +
      "(--null NA --null '')",
  ),
  flag('--no-header', 'CSV: the first row holds no names'),
  text('--names <A,B>', 'CSV in: the names of all columns'),
  list('--type <COLUMN=DTYPE>', 'CSV and JSON in: the type of a column; may be repeated'),
  flag('--skip-rejected', 'CSV and JSON in: leave out rows that cannot be taken, and tell of them'),
  choice(
    '--nested <HOW>',
    'JSON in: of lists in a row take the one value (single), or keep what is nested as text; Parquet and Arrow in: ' +
      'keep lists, structs and maps as text',
    NESTED,
  ),
];

export const FROM: Option = choice(
  '--from <FORM>',
  'what FROM is, where its first bytes and its name do not tell',
  ENDS,
);

export const CONVERT_OPTIONS: readonly Option[] = [
  FROM,
  choice('--to <FORM>', 'what TO is to be, where its name does not tell', ENDS),
  text(COLUMNS, 'which columns'),
  flag('-f, --overwrite', 'replace what is at TO'),
  ...SHAPE_OPTIONS,
  flag('--dry-run', 'tell what would be converted into what, and write nothing'),
  AS_JSON,
  choice('--mode <MODE>', '.cna: what may cost decoding time for how many bytes', MODES),
  whole('--row-group-size <N>', '.cna: rows of a row group', 1),
  whole('--page-rows <N>', '.cna: most rows of a page, a multiple of 8', 1),
  flag('--joint', '.cna: look for columns that determine each other with --mode fast, too'),
  flag('--no-joint', '.cna: each column has its own pages, also where those of several together would be smaller'),
  list('--encoding <COLUMN=NAME>', '.cna: force an encoding; may be repeated'),
  choice('--layout <LAYOUT>', '.cstore: the form of the file', LAYOUTS),
  text('--schema <A:int32,B:float32>', 'keys and dtypes of items that come in, where they should not be found out'),
  whole('--align <BYTES>', '.syr: start arrays at multiples of it; 1 by default', 1),
  ...TEXT_OPTIONS,
];

export const isCsv = (end: End): boolean => end === 'csv' || end === 'tsv';
export const isJson = (end: End): boolean => end === 'json' || end === 'jsonl';
const mayBeNested = (end: End): boolean => end === 'parquet' || end === 'arrow';
const isItems = (end: End): boolean => end === 'csv' || isJson(end) || end === 'parquet' || end === 'folder';

/** @throws UsageError for what is said of text where none comes in. */
export function requireText(sources: readonly End[], options: TextOptions): void {
  const isCsvIn = sources.some(isCsv);
  const isJsonIn = sources.some(isJson);
  const isNestedIn = isJsonIn || sources.some(mayBeNested);
  const rules: readonly (readonly [boolean, string, readonly (keyof TextOptions)[]])[] = [
    [isCsvIn, 'CSV', ['separator', 'null', 'names']],
    [isCsvIn || isJsonIn, 'CSV or JSON', ['type', 'skipRejected']],
    [isNestedIn, 'JSON, Parquet or Arrow', ['nested']],
  ];
  for (const [fits, what, names] of rules) {
    const given = names.find((name) => options[name] !== undefined);
    if (!fits && given !== undefined) throw new UsageError(`--${dashed(given)}: only where ${what} comes in`);
  }
  if (!options.header && !isCsvIn) throw new UsageError('--no-header: only where CSV comes in');
}

/** @throws UsageError for what this conversion cannot do. */
export function requireFitting(source: End, target: End, options: ConvertOptions): void {
  const isCsvIn = isCsv(source) && target !== 'syr';
  const isJsonIn = isJson(source) && target !== 'syr';
  const isCsvOut = isCsv(target) && source !== 'syr';
  const rules: readonly (readonly [boolean, string, readonly (keyof ConvertOptions)[]])[] = [
    [isCsvIn || isCsvOut, 'only for CSV files, into or out of a table', ['separator', 'null']],
    [isCsvIn, 'only where a CSV file comes in, into a table', ['names']],
    [isCsvIn || isJsonIn, 'only where CSV or JSON comes in, into a table', ['type', 'skipRejected']],
    [
      isJsonIn || (mayBeNested(source) && target !== 'syr'),
      'only where JSON, Parquet or Arrow comes in, into a table',
      ['nested'],
    ],
    [target === 'cna', 'only for a .cna file', ['mode', 'rowGroupSize', 'pageRows', 'encoding']],
    [target === 'cstore', 'only for a .cstore file', ['layout']],
    [source !== 'syr' && target !== 'syr' && target !== 'folder', 'only for tables', ['rename', 'dtype']],
    [target === 'syr', 'only for a .syr file', ['align']],
    [
      isItems(source) && target === 'syr',
      'only for items that come in (--type for the columns of a table)',
      ['schema'],
    ],
  ];
  for (const [fits, why, names] of rules) {
    const given = names.find((name) => options[name] !== undefined);
    if (!fits && given !== undefined) throw new UsageError(`--${dashed(given)}: ${why}`);
  }
  if (options.joint !== undefined && target !== 'cna')
    throw new UsageError(`--${options.joint ? '' : 'no-'}joint: only for a .cna file`);
  if (!options.header && !isCsvIn && !isCsvOut) throw new UsageError('--no-header: only for CSV files');
  if (options.columns !== undefined && source === 'folder')
    throw new UsageError('--columns: all keys of a folder are read; convert the result once more to leave some out');
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @throws UsageError. */
export function encodingOptions({
  mode,
  rowGroupSize,
  pageRows,
  joint,
  encoding = [],
}: ConvertOptions): EncodingOptions {
  const encodings = encoding.map((word) => {
    const [column, name] = pairOf(word);
    const known = ENCODINGS.find((each) => each === name.toUpperCase());
    if (column !== '' && known !== undefined) return [column, known as ForcedEncoding] as const;
    const expected = `COLUMN=NAME with one of ${ENCODINGS.join(', ')}`;
    throw new UsageError(`--encoding: expected ${expected} but found ${JSON.stringify(word)}`);
  });
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(rowGroupSize === undefined ? {} : { rowGroupSize }),
    ...(pageRows === undefined ? {} : { pageRows }),
    ...(joint === undefined ? {} : { joint }),
    ...(encodings.length === 0 ? {} : { encodings: new Map(encodings) }),
  };
}

type CsvInput = Pick<WriteCsvOptions, 'separator' | 'nullWords' | 'header' | 'names' | 'columns' | 'types' | 'onError'>;

/** @param types in place of those of the command line. @throws UsageError. */
export function csvInput(options: ConvertOptions, isTabs: boolean, types = saidTypes(options)): CsvInput {
  return {
    separator: separatorOf(options.separator, isTabs),
    ...(options.null === undefined ? {} : { nullWords: options.null }),
    ...(options.header ? {} : { header: false }),
    ...(options.names === undefined ? {} : { names: namesBetween(options.names, [], 'names') }),
    ...(options.columns === undefined ? {} : { columns: namesBetween(options.columns) }),
    ...typedInput(options, types),
  };
}

/** The types that the command line has for columns of a text. @throws UsageError. */
export function saidTypes({ type = [] }: Pick<TextOptions, 'type'>): ReadonlyMap<string, DType> {
  return uniquePairs('type', 'COLUMN=DTYPE', type) as ReadonlyMap<string, DType>;
}

/** What every text that comes in can be told. */
function typedInput(
  { skipRejected }: ConvertOptions,
  types: ReadonlyMap<string, DType>,
): Pick<JsonInputOptions, 'types' | 'onError'> {
  return {
    ...(types.size === 0 ? {} : { types }),
    ...(skipRejected === true ? { onError: 'skip' as const } : {}),
  };
}

/** @param types in place of those of the command line. @throws UsageError. */
export function jsonInput(options: ConvertOptions, types = saidTypes(options)): JsonInputOptions {
  const { columns, nested = 'single' } = options;
  return {
    ...typedInput(options, types),
    ...(columns === undefined ? {} : { columns: namesBetween(columns) }),
    // A .syr file's items, as `convert` writes them, have lists of one value.
    nested,
  };
}

/** Where CSV becomes CSV, what is said of it is about the one that comes in. @throws UsageError. */
export function csvOutput(
  options: ConvertOptions,
  isTabs: boolean,
  source: End,
): Pick<ToCsvOptions, 'separator' | 'nullWord' | 'header'> {
  if (isCsv(source)) return { separator: separatorOf(undefined, isTabs) };
  const [nullWord, ...others] = options.null ?? [];
  if (others.length > 0) throw new UsageError('--null: expected one word for a CSV file that is written');
  return {
    separator: separatorOf(options.separator, isTabs),
    ...(nullWord === undefined ? {} : { nullWord }),
    ...(options.header ? {} : { header: false }),
  };
}

function separatorOf(separator: string | undefined, isTabs: boolean): string {
  if (separator === undefined) return isTabs ? '\t' : ',';
  return separator === 'tab' || separator === '\\t' ? '\t' : separator;
}

/** Both sides of the last '='; the first is empty where there is none. */
function pairOf(word: string): [string, string] {
  const at = word.lastIndexOf('=');
  return at < 1 ? ['', word] : [word.slice(0, at), word.slice(at + 1)];
}
