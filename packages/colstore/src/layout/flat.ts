// Flat files: header, manifest, then every column whole, one behind the other, each item as wide as its dtype. A flat
// file is read as one record that starts where the data start, so nothing behind the layout knows the difference.
import { alignUp } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { dataViewOf, hex } from './bytes.ts';
import { DATA_ALIGNMENT, FLAT_LENGTH_OFFSET, FLAT_MANIFEST_OFFSET, MAGIC } from './constants.ts';
import { checkManifestLength, formatManifest, parseManifest } from './manifest.ts';
import type { Manifest, ManifestParser } from './manifest.ts';
import type { FileBytes } from './file-bytes.ts';

export interface PlacedManifest {
  readonly manifest: Manifest;
  readonly manifestOffset: number;
  /** The first byte behind the manifest. */
  readonly manifestEnd: number;
  /** Where columns or records start. */
  readonly dataOffset: number;
}

const OPENING_BRACE = 0x7b;

/** @throws CorruptFileError ERR_LAYOUT, ERR_TRUNCATED, ERR_MANIFEST, ERR_CRC; UnsupportedError; LimitError. */
export function* readFlatManifest(file: FileBytes, parse: ManifestParser): Work<PlacedManifest> {
  const first = yield* file.take(FLAT_MANIFEST_OFFSET, 1, 'manifest');
  if (first[0] !== OPENING_BRACE)
    throw file.corrupt(
      'ERR_LAYOUT',
      'manifest',
      FLAT_MANIFEST_OFFSET,
      'the manifest of a flat file, or the row count of a record file',
      hex(first),
    );
  return yield* readManifest(file, FLAT_LENGTH_OFFSET, 'flat', parse);
}

/**
 * The length at `lengthOffset` and the manifest behind it. The length is checked against the file before anything is
 * read.
 */
export function* readManifest(
  file: FileBytes,
  lengthOffset: number,
  form: 'flat' | 'records',
  parse: ManifestParser = parseManifest,
): Work<PlacedManifest> {
  const lengthBytes = yield* file.take(lengthOffset, 8, 'manifest length');
  const manifestOffset = lengthOffset + 8;
  const stored = file.cursor(lengthBytes, 'manifest length', lengthOffset).bigU64();
  const length = Number(stored);
  if (length > file.byteLength - manifestOffset) {
    throw file.corrupt(
      'ERR_TRUNCATED',
      'manifest',
      manifestOffset,
      `${String(stored)} bytes`,
      `${String(file.byteLength - manifestOffset)} before the end of the file`,
    );
  }
  checkManifestLength(length, `${file.path}: bytes of manifest`);
  const bytes = yield* file.take(manifestOffset, length, 'manifest');
  const manifest = parse(bytes, { path: file.path, byteOffset: manifestOffset, form });
  const manifestEnd = manifestOffset + length;
  return { manifest, manifestOffset, manifestEnd, dataOffset: alignUp(manifestEnd, DATA_ALIGNMENT) };
}

/** Everything before the columns of a flat file, padding included, as the Python release 0.1.0 writes it. */
export function formatFlatHeader(
  columns: readonly { readonly name: string; readonly descr: string }[],
  rowCount: number,
): Uint8Array {
  return headerOf(MAGIC, formatManifest(columns, rowCount));
}

/** `before`, the manifest's length, the manifest, zeros up to where the data start. */
export function headerOf(before: Uint8Array, manifest: Uint8Array): Uint8Array {
  const header = new Uint8Array(alignUp(before.length + 8 + manifest.length, DATA_ALIGNMENT));
  header.set(before);
  dataViewOf(header).setBigUint64(before.length, BigInt(manifest.length), true);
  header.set(manifest, before.length + 8);
  return header;
}
