// What a file of a table or of items is, whoever wrote it: from its first bytes, and of text from its name and its
// first characters.
import { CorruptFileError, SOURCE_OPTIONS, checkOptions, openSource, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, Openable, OptionSet, RandomAccessSource } from '@colkit/io';
import { foreignName, formatOfBytes } from './identify.ts';

/** The forms that tables are read from and written in. */
export type TableFormat = 'cna' | 'cstore' | 'parquet' | 'csv' | 'tsv' | 'json' | 'jsonl' | 'arrow';
export type AnyFormat = TableFormat | 'syr';

export const TABLE_FORMATS = ['cna', 'cstore', 'parquet', 'csv', 'tsv', 'json', 'jsonl', 'arrow'] as const;

export interface IdentifyOptions extends OpenSourceOptions {
  /** The file's name, where what is given has none: its ending tells CSV from TSV. */
  readonly name?: string;
}

const IDENTIFY_OPTIONS: OptionSet<IdentifyOptions> = { ...SOURCE_OPTIONS, name: option.text };

const OURS = { colstore: 'cstore', columna: 'cna', syrah: 'syr' } as const;
const ENDINGS: Readonly<Record<string, TableFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  arrow: 'arrow',
  arrows: 'arrow',
  feather: 'arrow',
  ipc: 'arrow',
};
const COMPRESSED = /\.(?:gz|zst)$/iu;
const LOOKED_AT = 4096;
const TAB = '\t';

/**
 * The format of a file (a Blob or File, URL, bytes, a source; in Node also a path), `'syr'` included. Told from the
 * first bytes; of text by the ending of the name, and else by what it begins with (`[` a JSON list, `{` JSON lines, a
 * first line with tabs and no commas TSV). Reads 4 KiB.
 * @throws CorruptFileError ERR_MAGIC for what is none of these, naming what it is where that is known, ERR_TRUNCATED
 * for an empty file whose name does not say JSON lines; IoError; ArgumentError.
 */
export async function identify(what: Openable, options: IdentifyOptions = {}): Promise<AnyFormat> {
  checkOptions('identify', IDENTIFY_OPTIONS, options);
  const source = await openSource(what, pickOptions(SOURCE_OPTIONS, options));
  try {
    return await formatOf(source, options.name ?? source.path);
  } finally {
    if (source !== what) source.close();
  }
}

/** @throws as `identify`. */
export async function formatOf(source: RandomAccessSource, name: string, signal?: AbortSignal): Promise<AnyFormat> {
  const bytes = new Uint8Array(Math.min(LOOKED_AT, source.byteLength));
  await source.read(0, bytes, signal);
  const own = formatOfBytes(bytes);
  if (own !== null) return OURS[own];
  const what = foreignName(bytes.subarray(0, 64));
  if (what.includes('Parquet')) return 'parquet';
  if (what.includes('Arrow')) return 'arrow';
  const isCompressed = what.includes('gzip') || what.includes('zstd');
  const named = ENDINGS[endingOf(isCompressed ? name.replace(COMPRESSED, '') : name)];
  if (what.startsWith('text')) return named === undefined || named === 'arrow' ? formatOfText(bytes) : named;
  // Of what is compressed the name has to tell; streams of an old Arrow have no magic.
  if (isCompressed) return named ?? 'csv';
  if (named === 'arrow' && bytes.length > 0) return named;
  if ((named === 'csv' || named === 'tsv') && holdsControls(bytes)) return named;
  // JSON without rows, as it is written of a table that has none.
  if (named === 'jsonl' && bytes.length === 0) return named;
  throw new CorruptFileError(bytes.length === 0 ? 'ERR_TRUNCATED' : 'ERR_MAGIC', {
    path: source.path,
    region: 'file',
    byteOffset: 0,
    expected: 'a .cna, .cstore, .syr, Parquet, CSV, TSV, JSON, JSON lines or Arrow file',
    found: what,
  });
}

/** Whether it is text in UTF-8 whose values hold control characters. Of UTF-16 every other byte is zero. */
function holdsControls(bytes: Uint8Array): boolean {
  const zeros = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  if (bytes.length === 0 || 4 * zeros > bytes.length) return false;
  try {
    // It may be cut within a character.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Of a path or an address, without what is asked of a server. */
function endingOf(name: string): string {
  return /\.([a-z]+)(?:[?#].*)?$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
}

function formatOfText(bytes: Uint8Array): TableFormat {
  // A text in UTF-8 may be cut within a character.
  const text = new TextDecoder('utf-8', { ignoreBOM: false })
    .decode(bytes)
    .replace(/^\uFEFF/u, '')
    .trimStart();
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) return 'jsonl';
  const line = text.split('\n', 1)[0] ?? '';
  return line.includes(TAB) && !line.includes(',') ? 'tsv' : 'csv';
}
