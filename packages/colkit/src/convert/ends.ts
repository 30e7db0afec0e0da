// What FROM and TO of a conversion are. FROM by its first bytes, and where those do not tell (CSV and JSON lines are
// text) by the end of its name; TO by the end of its name; both by what the command line says.
import { CorruptFileError, isColkitError, nearestName, openSource } from '@colkit/io';
import { formatOfBytes, foreignName, identify } from '../formats/identify.ts';
import type { FileFormat } from '../formats/identify.ts';
import { filesOrItems } from '../formats/named-files.ts';
import { STANDARD, isStreamed, thereAt } from '../terminal/output.ts';
import { UsageError } from '../terminal/verb.ts';
import { formOfStream, isPiped } from './piped-input.ts';

export type End =
  | 'cna'
  | 'cstore'
  | 'syr'
  | 'csv'
  | 'tsv'
  | 'json'
  | 'jsonl'
  | 'parquet'
  | 'arrow'
  | 'npz'
  | 'npy'
  | 'folder';

export const ENDS: readonly End[] = [
  'cna',
  'cstore',
  'syr',
  'csv',
  'tsv',
  'json',
  'jsonl',
  'parquet',
  'arrow',
  'npz',
  'npy',
  'folder',
];
/** Files of our own. */
export const isOurs = (end: End): boolean => end === 'cna' || end === 'cstore' || end === 'syr';

const OURS: Readonly<Record<FileFormat, End>> = { colstore: 'cstore', columna: 'cna', syrah: 'syr' };
const ENDINGS: Readonly<Record<string, End>> = {
  cna: 'cna',
  cstore: 'cstore',
  syr: 'syr',
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  parquet: 'parquet',
  arrow: 'arrow',
  feather: 'arrow',
  npz: 'npz',
  npy: 'npy',
};
/** Of files of text; what is not decompressed is told by what reads them. */
const COMPRESSED = /\.(?:gz|zst|bz2|xz|lz4|zip)$/i;
const LOOKED_AT = 64;
/** What is read from a pipe, and what is written to one. */
const PIPED_IN: readonly End[] = ['csv', 'tsv', 'json', 'jsonl'];
const PIPED_OUT: readonly End[] = [...PIPED_IN, 'arrow'];

/**
 * @throws UsageError where nothing tells; CorruptFileError where the name says that it is one of ours, and it is not.
 */
export async function sourceEnd(from: string, said: End | undefined): Promise<End> {
  if (from === STANDARD)
    return pipedEnd('--from', said ?? (await formOfStream(process.stdin)), PIPED_IN, 'from standard input');
  if (isPiped(from)) return pipedEnd('--from', said ?? endOfName(from, '--from'), PIPED_IN, 'from a pipe');
  if (said !== undefined) return said;
  const several = await filesOrItems(from);
  if (several === 'items') return 'folder';
  if (several !== null) return several.as === 'dataset' ? 'cna' : 'cstore';
  const bytes = await firstBytes(from);
  const ours = formatOfBytes(bytes);
  if (ours !== null) return OURS[ours];
  const foreign = foreignName(bytes);
  if (foreign.includes('Parquet')) return 'parquet';
  if (foreign.includes('Arrow')) return 'arrow';
  const named = endOfName(from.replace(COMPRESSED, ''), '--from');
  if (COMPRESSED.test(from) && !PIPED_IN.includes(named)) {
    throw new UsageError(`${from}: only CSV and JSON files may be compressed`);
  }
  // Says what it is instead, or why it cannot be read.
  if (isOurs(named)) await identify(from);
  return named;
}

/** @throws UsageError. */
export function targetEnd(to: string, said: End | undefined): End {
  if (to === STANDARD) return pipedEnd('--to', said ?? 'csv', PIPED_OUT, 'to standard output');
  if (isStreamed(to)) return pipedEnd('--to', said ?? endOfName(to, '--to'), PIPED_OUT, 'to a pipe');
  if (said !== undefined) return said;
  return thereAt(to)?.isDirectory() === true ? 'folder' : endOfName(to, '--to');
}

function endOfName(path: string, option: string): End {
  if (/[/\\]$/.test(path)) return 'folder';
  const end = ENDINGS[/\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (end !== undefined) return end;
  const given = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const meant = nearestName(given, Object.keys(ENDINGS));
  const hint = meant === null ? '' : `; did you mean .${meant}?`;
  const endings = Object.keys(ENDINGS).join(', .');
  throw new UsageError(`${path}: expected a name that ends in .${endings} or / (or ${option})${hint}`);
}

/** @throws UsageError. */
function pipedEnd(option: string, said: End, fitting: readonly End[], where: string): End {
  if (fitting.includes(said)) return said;
  throw new UsageError(`${option}: expected ${fitting.join(', ')} ${where} but found ${JSON.stringify(said)}`);
}

/** None of what cannot be read; who opens it then says why. */
async function firstBytes(path: string): Promise<Uint8Array> {
  try {
    const source = await openSource(path);
    try {
      const bytes = new Uint8Array(Math.min(LOOKED_AT, source.byteLength));
      await source.read(0, bytes);
      return bytes;
    } finally {
      source.close();
    }
  } catch (error) {
    if (isColkitError(error) && !(error instanceof CorruptFileError)) return new Uint8Array(0);
    throw error;
  }
}
