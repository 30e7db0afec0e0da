// The first bytes of a file -> its format. Names say nothing: a .cna that is called .csv is a .cna. What is none of
// ours is named where its own first bytes tell.
import { CorruptFileError, openSource } from '@colkit/io';
import type { Openable } from '@colkit/io';

export type FileFormat = 'colstore' | 'columna' | 'syrah';

/** The oldest .syr files have their magic at byte 20. */
const LOOKED_AT = 64;
const SYRAH_MAGIC = 'GS';
const SYRAH_MAGIC_AT: readonly number[] = [0, 20];

interface Foreign {
  readonly what: string;
  readonly starts: readonly (string | readonly number[])[];
}

const FOREIGN: readonly Foreign[] = [
  { what: 'a Parquet file', starts: ['PAR1', 'PARE'] },
  { what: 'an Arrow file', starts: ['ARROW1', 'FEA1', [0xff, 0xff, 0xff, 0xff]] },
  { what: 'a NumPy file', starts: ['\x93NUMPY'] },
  { what: 'a ZIP archive, such as .npz', starts: ['PK\x03\x04'] },
  { what: 'an HDF5 file', starts: ['\x89HDF'] },
  { what: 'an SQLite database', starts: ['SQLite format 3'] },
  { what: 'a file compressed with gzip', starts: [[0x1f, 0x8b]] },
  { what: 'a file compressed with zstd', starts: [[0x28, 0xb5, 0x2f, 0xfd]] },
];
/** What `convert` takes, of those. */
const CONVERTED = /Parquet|Arrow|NumPy|npz|CSV|JSON|gzip|zstd/;

/**
 * The format of a file (a path, URL, Blob, bytes), from its first bytes.
 * @throws CorruptFileError ERR_MAGIC for what is none of ours, naming what it is where that is known, ERR_TRUNCATED for
 * an empty file; IoError.
 */
export async function identify(file: Openable): Promise<FileFormat> {
  const source = await openSource(file);
  try {
    const bytes = new Uint8Array(Math.min(LOOKED_AT, source.byteLength));
    await source.read(0, bytes);
    const found = formatOfBytes(bytes);
    if (found !== null) return found;
    throw foreignFile(source.path, bytes);
  } finally {
    if (source !== file) source.close();
  }
}

/** Null for what is none of ours. */
export function formatOfBytes(bytes: Uint8Array): FileFormat | null {
  if (startsWith(bytes, 'CSTORE')) return 'colstore';
  if (startsWith(bytes, 'CNA1')) return 'columna';
  // What starts with text of another format may have these two letters further on. Text may begin with them, too, but
  // has no zeros.
  if (startsWith(bytes, SYRAH_MAGIC) && bytes.includes(0)) return 'syrah';
  const isOldest = bytes[0] === 0 && SYRAH_MAGIC_AT.some((at) => startsWith(bytes.subarray(at), SYRAH_MAGIC));
  return isOldest ? 'syrah' : null;
}

function foreignFile(path: string, bytes: Uint8Array): CorruptFileError {
  const code = bytes.length === 0 ? 'ERR_TRUNCATED' : 'ERR_MAGIC';
  const what = foreignName(bytes);
  const found = CONVERTED.test(what) ? `${what}, which colkit convert reads` : what;
  return new CorruptFileError(code, {
    path,
    region: 'file',
    byteOffset: 0,
    expected: 'a .cstore, .cna or .syr file',
    found,
  });
}

/** What other files are. */
export function foreignName(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty file';
  const isText = !bytes.some(
    (byte) => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f,
  );
  // Text may begin with the letters of a magic: a column may be called PAR1.
  const known = FOREIGN.find(({ starts }) =>
    starts.some((start) => startsWith(bytes, start) && !(isText && typeof start === 'string')),
  );
  if (known !== undefined) return known.what;
  if (!isText) return 'other bytes';
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes).trimStart();
  return text.startsWith('{') || text.startsWith('[') ? 'text, such as JSON lines' : 'text, such as CSV';
}

function startsWith(bytes: Uint8Array, start: string | readonly number[]): boolean {
  const expected = typeof start === 'string' ? Array.from(start, (letter) => letter.charCodeAt(0)) : start;
  return bytes.length >= expected.length && expected.every((byte, at) => bytes[at] === byte);
}
