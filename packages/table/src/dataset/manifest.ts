// What a dataset is made of at one of its versions, as JSON: docs/formats/dataset.md. A manifest comes from outside:
// everything in it is checked before it is used.
import {
  CorruptFileError,
  LimitError,
  UnsupportedError,
  checkJsonValues,
  checkKey,
  describeValue,
  isDType,
} from '@colkit/io';
import { jsonValue, parseValue } from '../aggregate/state.ts';
import type { JsonValue } from '../aggregate/state.ts';
import type { Field } from '../field.ts';
import type { ColumnStatistics, StatisticsValue } from '../query/proof/column-statistics.ts';
import type { PartGroup, PartVersion } from './part-format.ts';

/** The folder of manifests, in the folder of the dataset. */
export const MANIFESTS = '_manifests';
/** That of what only shows what a store does. */
export const PROBES = '_probes';
export const FORMAT_NAME = 'colkit.dataset';
export const FORMAT_VERSION = 1;
/** What is parsed. */
export const MOST_MANIFEST_BYTES = 256 << 20;
const MOST_VALUES = 20_000_000;

/** One part of a version. */
export interface ManifestPart {
  /** Relative to the folder of the dataset. */
  readonly key: string;
  /** 'cna' */
  readonly format: string;
  /** Index of `schemas`. */
  readonly schema: number;
  readonly rowCount: number;
  readonly version: PartVersion;
  /** Texts of the path, null for a null. */
  readonly partition: Readonly<Record<string, string | null>>;
  /** Of all columns of its schema. */
  readonly groups: readonly PartGroup[];
}

export interface Manifest {
  /** From 1 on. */
  readonly version: number;
  /** The version that it was made of; 0: none. */
  readonly previous: number;
  /** The id of its manifest; null: none. */
  readonly previousId: string | null;
  /** Another one for each commit. */
  readonly id: string;
  /** ISO 8601, by the committer's clock. */
  readonly time: string;
  readonly operation: 'append' | 'replace';
  readonly schemas: readonly (readonly Field[])[];
  /** The dtypes of what paths say. */
  readonly partitions: Readonly<Record<string, string>>;
  readonly parts: readonly ManifestPart[];
}

/** `_manifests/00000000000000000007.json` */
export function manifestKey(version: number): string {
  return `${MANIFESTS}/${String(version).padStart(20, '0')}.json`;
}

/** Whether it may be a part's: none of its names starts with . or _. */
export function isPartKey(key: string): boolean {
  return !/(?:^|\/)[._]/u.test(key);
}

/** Of what only shows what a store does. */
export function probeKey(): string {
  return `${PROBES}/${crypto.randomUUID()}`;
}

/** Null for what is no manifest's key. */
export function versionOfKey(key: string): number | null {
  const found = /^_manifests\/(\d{20})\.json$/u.exec(key);
  const version = found === null ? 0 : Number(found[1]);
  return Number.isSafeInteger(version) && version > 0 ? version : null;
}

export type JsonGroup = readonly [
  rowCount: number,
  byteLengths: readonly number[],
  statistics: readonly JsonStatistics[],
];
/** Nulls, NaNs, least, largest, and whether these are values that are there: 1 the least, 2 the largest. */
export type JsonStatistics = readonly [number | null, number | null, JsonValue, JsonValue, number] | null;

/** @throws LimitError for one that nobody would read. */
export function formatManifest(manifest: Manifest, name: string): Uint8Array {
  const { version, previous, previousId, id, time, operation, schemas, partitions, parts } = manifest;
  const json = {
    format: FORMAT_NAME,
    formatVersion: FORMAT_VERSION,
    version,
    previous,
    previousId,
    id,
    time,
    operation,
    schemas,
    partitions,
    parts: parts.map((part) => ({ ...jsonPart(part), schema: part.schema })),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  if (bytes.length > MOST_MANIFEST_BYTES)
    throw new LimitError('ERR_LIMIT', `${name}: bytes (fewer, larger parts)`, MOST_MANIFEST_BYTES, bytes.length);
  checkJsonValues(name, bytes, MOST_VALUES);
  return bytes;
}

/** A part as JSON says it. */
export type JsonPart = Omit<ManifestPart, 'groups' | 'schema'> & { readonly groups: readonly JsonGroup[] };

export function jsonPart({
  key,
  format,
  rowCount,
  version,
  partition,
  groups,
}: Omit<ManifestPart, 'schema'>): JsonPart {
  return { key, format, rowCount, version, partition, groups: groups.map(jsonGroup) };
}

function jsonGroup({ rowCount, byteLengths, statistics }: PartGroup): JsonGroup {
  return [rowCount, byteLengths, statistics.map(jsonStatistics)];
}

function jsonStatistics(of: ColumnStatistics | null): JsonStatistics {
  if (of === null) return null;
  const { nullCount, nanCount, min, max, minExact, maxExact } = of;
  return [nullCount, nanCount, jsonValue(min), jsonValue(max), Number(minExact) + 2 * Number(maxExact)];
}

/**
 * @param name of the manifest, for messages.
 * @throws CorruptFileError ERR_MANIFEST; UnsupportedError ERR_VERSION; LimitError.
 */
export function parseManifest(bytes: Uint8Array, name: string): Manifest {
  checkJsonValues(name, bytes, MOST_VALUES);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    throw wrongManifest(name, 'JSON', error instanceof Error ? error.message : 'something else');
  }
  const check = new Checks(name);
  const root = check.object(json, 'an object');
  if (root['format'] !== FORMAT_NAME)
    throw wrongManifest(name, `format ${JSON.stringify(FORMAT_NAME)}`, root['format']);
  if (root['formatVersion'] !== FORMAT_VERSION)
    throw new UnsupportedError(
      'ERR_VERSION',
      `manifest version ${describeValue(root['formatVersion'])}`,
      `${name}: needs a reader of manifest version ${describeValue(root['formatVersion'])}, this one reads ` +
        String(FORMAT_VERSION),
    );
  const schemas = check.list(root['schemas'], 'schemas').map((schema) => check.fields(schema));
  const partitions = check.object(root['partitions'], 'partitions');
  for (const dtype of Object.values(partitions))
    if (typeof dtype !== 'string' || !isDType(dtype)) throw wrongManifest(name, 'dtypes of partitions', dtype);
  const operation = root['operation'];
  if (operation !== 'append' && operation !== 'replace')
    throw wrongManifest(name, 'operation: append or replace', operation);
  const keys = new Set<string>();
  return {
    version: check.count(root['version'], 'version'),
    previous: check.count(root['previous'], 'previous'),
    previousId: check.textOrNull(root['previousId'], 'previousId'),
    id: check.text(root['id'], 'id'),
    time: check.text(root['time'], 'time'),
    operation,
    schemas,
    partitions: partitions as Record<string, string>,
    parts: check.list(root['parts'], 'parts').map((part) => {
      const parsed = check.part(part, schemas);
      if (keys.has(parsed.key)) throw wrongManifest(name, 'each part once', parsed.key);
      keys.add(parsed.key);
      return parsed;
    }),
  };
}

export function wrongManifest(name: string, expected: string, found: unknown): CorruptFileError {
  const what = typeof found === 'string' ? found : describeValue(found);
  return new CorruptFileError('ERR_MANIFEST', {
    path: name,
    region: 'manifest',
    byteOffset: 0,
    expected,
    found: what.slice(0, 200),
  });
}

/** What JSON holds, in the form that is expected. */
export class Checks {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  object(value: unknown, what: string): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.wrong(`${what}: object`, value);
    return value as Readonly<Record<string, unknown>>;
  }

  list(value: unknown, what: string): readonly unknown[] {
    if (!Array.isArray(value)) throw this.wrong(`${what}: list`, value);
    return value as readonly unknown[];
  }

  count(value: unknown, what: string): number {
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw this.wrong(`${what}: a count`, value);
    return value as number;
  }

  text(value: unknown, what: string): string {
    if (typeof value !== 'string') throw this.wrong(`${what}: text`, value);
    return value;
  }

  countOrNull(value: unknown, what: string): number | null {
    return value === null ? null : this.count(value, what);
  }

  textOrNull(value: unknown, what: string): string | null {
    return value === null ? null : this.text(value, what);
  }

  fields(value: unknown): readonly Field[] {
    const names = new Set<string>();
    return this.list(value, 'schema').map((each) => {
      const { name, dtype, nullable } = this.object(each, 'field');
      if (typeof dtype !== 'string' || !isDType(dtype)) throw this.wrong('a dtype', dtype);
      if (typeof nullable !== 'boolean') throw this.wrong('nullable: true or false', nullable);
      const text = this.text(name, 'name');
      if (names.has(text)) throw this.wrong('each column once', text);
      names.add(text);
      return { name: text, dtype, nullable };
    });
  }

  version(value: unknown): PartVersion {
    const { byteLength, etag, footerCrc } = this.object(value, 'version');
    return {
      byteLength: this.count(byteLength, 'byteLength'),
      etag: this.textOrNull(etag, 'etag'),
      footerCrc: this.countOrNull(footerCrc, 'footerCrc'),
    };
  }

  key(value: unknown): string {
    const key = this.text(value, 'key');
    try {
      checkKey(key);
    } catch {
      throw this.wrong('a key: names with / between them, none of them . or ..', key);
    }
    return key;
  }

  part(value: unknown, schemas: readonly (readonly Field[])[]): ManifestPart {
    const part = this.object(value, 'part');
    const schema = this.count(part['schema'], 'schema');
    const fields = schemas[schema];
    if (fields === undefined) throw this.wrong(`a schema below ${String(schemas.length)}`, schema);
    const partition = this.object(part['partition'], 'partition');
    for (const text of Object.values(partition)) this.textOrNull(text, 'partition');
    const rowCount = this.count(part['rowCount'], 'rowCount');
    const groups = this.list(part['groups'], 'groups').map((group) => this.#group(group, fields));
    const grouped = groups.reduce((sum, group) => sum + group.rowCount, 0);
    if (grouped !== rowCount) throw this.wrong(`groups of ${String(rowCount)} rows`, grouped);
    return {
      key: this.key(part['key']),
      format: this.text(part['format'], 'format'),
      schema,
      rowCount,
      version: this.version(part['version']),
      partition: partition as Record<string, string | null>,
      groups,
    };
  }

  #group(value: unknown, fields: readonly Field[]): PartGroup {
    const [rows, lengths, statistics] = this.list(value, 'group');
    const rowCount = this.count(rows, 'rows');
    const byteLengths = this.list(lengths, 'bytes').map((each) => this.count(each, 'bytes'));
    const known = this.list(statistics, 'statistics').map((each) => this.#statistics(each, rowCount));
    if (byteLengths.length !== fields.length || known.length !== fields.length)
      throw this.wrong(`an entry for each of ${String(fields.length)} columns`, byteLengths.length);
    return { rowCount, byteLengths, statistics: known };
  }

  #statistics(value: unknown, rowCount: number): ColumnStatistics | null {
    if (value === null) return null;
    const [nulls, nans, min, max, exact] = this.list(value, 'statistics');
    const bits = this.count(exact, 'exact');
    return {
      rowCount,
      nullCount: this.countOrNull(nulls, 'nulls'),
      nanCount: this.countOrNull(nans, 'NaNs'),
      min: this.#bound(min),
      max: this.#bound(max),
      minExact: (bits & 1) !== 0,
      maxExact: (bits & 2) !== 0,
    };
  }

  #bound(value: unknown): StatisticsValue | null {
    try {
      return parseValue(value);
    } catch {
      throw this.wrong('a value', value);
    }
  }

  wrong(expected: string, found: unknown): CorruptFileError {
    return wrongManifest(this.#name, expected, found);
  }
}
