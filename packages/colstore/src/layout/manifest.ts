// Manifest bytes <-> Manifest: the JSON that names a file's columns. Parsing checks, in the order of the Python
// releases: UTF-8 and JSON, format_version, the checksum where there is one, then every column. Snake case stays in
// this file.
import { CorruptFileError, LimitError, UnsupportedError, areSameBytes, crc32 } from '@colkit/io';
import { FORMAT_VERSION, MANIFEST_LIMIT_BYTES } from './constants.ts';
import { parseDescr, unsupportedDType } from './descr.ts';
import type { StoredType } from './descr.ts';
import { JsonNumber, parseJson } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { pythonJson } from './python-json.ts';

export interface StoredColumn extends StoredType {
  readonly name: string;
  /** numpy's dtype string as the manifest has it. */
  readonly descr: string;
}

export interface Manifest {
  /** Flat files only; record files count their rows elsewhere. */
  readonly rowCount: number | null;
  readonly columns: readonly StoredColumn[];
  /** Whether the file has a checksum over its columns (and it was right). */
  readonly hasChecksum: boolean;
}

/** Where a manifest stands, and which of the two forms it must have. */
interface ManifestLocation {
  readonly path: string;
  readonly byteOffset: number;
  readonly form: 'flat' | 'records';
}

/**
 * Parses and checks a manifest.
 * @throws CorruptFileError ERR_MANIFEST, ERR_CRC; UnsupportedError ERR_VERSION, ERR_DTYPE, ERR_ENCODING; LimitError
 * ERR_METADATA_TOO_LARGE.
 */
export function parseManifest(bytes: Uint8Array, location: ManifestLocation): Manifest {
  const root = parseText(decodeText(bytes, location), location);
  checkVersion(root.get('format_version'), location);
  const columns = root.get('columns');
  if (!Array.isArray(columns)) return fail(location, '"columns" to be an array', columns);
  const list = columns as readonly JsonValue[];
  const rows = root.get('n_rows');
  const hasChecksum = checkCrc(root.get('manifest_crc32'), list, location.form === 'flat' ? rows : undefined, location);
  return {
    rowCount: location.form === 'flat' ? parseRowCount(rows, location) : null,
    columns: parseColumns(list, location),
    hasChecksum,
  };
}

export type ManifestParser = typeof parseManifest;

/**
 * Parses the manifests of many files, which mostly are the same: such a one is compared with the one before, and shares
 * what came of it.
 */
export function rememberingParser(): ManifestParser {
  let last: {
    readonly bytes: Uint8Array;
    readonly form: ManifestLocation['form'];
    readonly manifest: Manifest;
  } | null = null;
  return (bytes, location) => {
    if (last?.form === location.form && areSameBytes(last.bytes, bytes)) return last.manifest;
    const manifest = parseManifest(bytes, location);
    last = { bytes: bytes.slice(), form: location.form, manifest };
    return manifest;
  };
}

/** @throws LimitError ERR_METADATA_TOO_LARGE for a manifest that is neither read nor written. */
export function checkManifestLength(byteLength: number, what: string): void {
  if (byteLength > MANIFEST_LIMIT_BYTES)
    throw new LimitError('ERR_METADATA_TOO_LARGE', what, MANIFEST_LIMIT_BYTES, byteLength);
}

/** The bytes of a manifest as the Python releases write it; `rowCount` is given for the flat form only. */
export function formatManifest(
  columns: readonly { readonly name: string; readonly descr: string }[],
  rowCount?: number,
): Uint8Array {
  const list = columns.map(
    ({ name, descr }) =>
      new Map<string, JsonValue>([
        ['name', name],
        ['dtype', descr],
        ['encoding', 'raw'],
        ['nullable', false],
      ]),
  );
  const rows = rowCount === undefined ? undefined : integer(rowCount);
  const bytes = asciiBytes(
    pythonJson(
      new Map<string, JsonValue>([
        ['format_version', integer(FORMAT_VERSION)],
        ...(rows === undefined ? [] : [['n_rows', rows] as const]),
        ['columns', list],
        ['manifest_crc32', integer(manifestCrc(list, rows))],
      ]),
    ),
  );
  checkManifestLength(bytes.length, 'bytes of column names and dtypes');
  return bytes;
}

/** The checksum is not of the file's text but of what Python prints for the parsed value, keys sorted. */
function manifestCrc(columns: readonly JsonValue[], rows: JsonValue | undefined): number {
  const covered = new Map<string, JsonValue>([['columns', columns]]);
  if (rows !== undefined) covered.set('n_rows', rows);
  return crc32(asciiBytes(pythonJson(covered, true)));
}

function decodeText(bytes: Uint8Array, location: ManifestLocation): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CorruptFileError('ERR_MANIFEST', {
      path: location.path,
      region: 'manifest',
      byteOffset: location.byteOffset,
      expected: 'UTF-8 text',
      found: 'invalid bytes',
      cause,
    });
  }
}

function parseText(text: string, location: ManifestLocation): JsonObject {
  const root = parseJson(text, (position, expected, found) => {
    const byteOffset = location.byteOffset + new TextEncoder().encode(text.slice(0, position)).length;
    throw new CorruptFileError('ERR_MANIFEST', {
      path: location.path,
      region: 'manifest',
      byteOffset,
      expected,
      found,
    });
  });
  return root instanceof Map ? (root as JsonObject) : fail(location, 'a JSON object', root);
}

function checkVersion(value: JsonValue | undefined, location: ManifestLocation): void {
  if (!(value instanceof JsonNumber) || !value.isInteger) fail(location, '"format_version" to be an integer', value);
  if (Number(value.text) === FORMAT_VERSION) return;
  throw new UnsupportedError(
    'ERR_VERSION',
    `format_version ${shorten(value.text)}`,
    `${location.path}: format_version ${shorten(value.text)} is not supported; this release reads 1`,
  );
}

/** @returns whether there was a checksum to check; null counts as none, as in the Python releases. */
function checkCrc(
  stored: JsonValue | undefined,
  columns: readonly JsonValue[],
  rows: JsonValue | undefined,
  location: ManifestLocation,
): boolean {
  if (stored === undefined || stored === null) return false;
  const computed = manifestCrc(columns, rows);
  if (stored instanceof JsonNumber && stored.text === String(computed)) return true;
  throw new CorruptFileError('ERR_CRC', {
    path: location.path,
    region: 'manifest',
    byteOffset: location.byteOffset,
    expected: `manifest_crc32 ${String(computed)} (the checksum of the columns)`,
    found: describe(stored),
  });
}

function parseRowCount(value: JsonValue | undefined, location: ManifestLocation): number {
  const count = value instanceof JsonNumber && value.isInteger ? Number(value.text) : Number.NaN;
  return Number.isSafeInteger(count) && count >= 0
    ? count
    : fail(location, '"n_rows" to be an integer in [0, 2^53)', value);
}

function parseColumns(list: readonly JsonValue[], location: ManifestLocation): readonly StoredColumn[] {
  if (list.length === 0) fail(location, 'at least one column', list);
  const names = new Set<string>();
  return list.map((entry, index) => {
    const label = `column ${String(index)}`;
    if (!(entry instanceof Map)) return fail(location, `${label} to be an object`, entry);
    const { name, descr } = parseNames(entry as JsonObject, label, location);
    if (names.has(name)) return fail(location, `${label} to have a name of its own`, name);
    names.add(name);
    checkStorage(entry as JsonObject, name, location);
    const type = parseDescr(descr);
    if (type === null)
      throw unsupportedDType(
        name,
        descr,
        'the format reads bool, integers, floats of 2, 4 and 8 bytes, datetime64, timedelta64, S and U',
        location.path,
      );
    return { name, descr, dtype: type.dtype, bigEndian: type.bigEndian };
  });
}

function parseNames(entry: JsonObject, label: string, location: ManifestLocation): { name: string; descr: string } {
  const name = entry.get('name');
  if (typeof name !== 'string') return fail(location, `"name" of ${label} to be a string`, name);
  const descr = entry.get('dtype');
  if (typeof descr !== 'string') return fail(location, `"dtype" of ${label} to be a string`, descr);
  return { name, descr };
}

/**
 * `encoding` and `nullable` are reserved: no release writes anything but the defaults, and old files lack the keys.
 * Another value means bytes that are not raw items.
 */
function checkStorage(entry: JsonObject, name: string, location: ManifestLocation): void {
  const encoding = entry.get('encoding') ?? 'raw';
  if (encoding !== 'raw') {
    throw new UnsupportedError(
      'ERR_ENCODING',
      describe(encoding),
      `${location.path}: column ${JSON.stringify(name)}: unsupported encoding ${describe(encoding)}; this release ` +
        'reads "raw"',
    );
  }
  const nullable = entry.get('nullable') ?? false;
  if (nullable !== false) {
    throw new UnsupportedError(
      'ERR_FEATURE',
      'nullable',
      `${location.path}: column ${JSON.stringify(name)}: unsupported "nullable" ${describe(nullable)}; this release ` +
        'reads false',
    );
  }
}

function fail(location: ManifestLocation, expected: string, found: JsonValue | undefined): never {
  throw new CorruptFileError('ERR_MANIFEST', {
    path: location.path,
    region: 'manifest',
    byteOffset: location.byteOffset,
    expected,
    found: describe(found),
  });
}

const describe = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : shorten(pythonJson(value));
const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
const integer = (value: number): JsonNumber => new JsonNumber(String(value));
const asciiBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
