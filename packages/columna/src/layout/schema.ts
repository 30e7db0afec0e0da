// The schema of a file: JSON bytes <-> a checked list of columns, which nobody changes. On-disk names stay in this
// file.
import { ArgumentError, areSameBytes, checkJsonValues } from '@colkit/io';
import { columnType } from './column-type.ts';
import type { ColumnType } from './column-type.ts';
import { corrupt } from './location.ts';
import type { FileLocation } from './location.ts';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

export interface FileSchema {
  readonly columns: readonly ColumnSchema[];
  /** Free text of the user, by key. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly createdBy: string | null;
  /** Its bytes, of one that was read: another file's are compared with them. */
  readonly bytes?: Uint8Array;
}

/** The schema's JSON as bytes. @throws ArgumentError ERR_SCHEMA for empty, repeated or ill-formed names. */
export function encodeSchema(schema: FileSchema): Uint8Array {
  const seen = new Set<string>();
  for (const { name } of schema.columns) {
    if (name === '') throw new ArgumentError('ERR_SCHEMA', 'columns', 'names that are not empty', 'an empty name');
    if (!isWellFormed(name))
      throw new ArgumentError('ERR_SCHEMA', 'columns', 'names of well-formed Unicode', JSON.stringify(name));
    if (seen.has(name))
      throw new ArgumentError('ERR_SCHEMA', 'columns', 'names that are all different', JSON.stringify(name));
    seen.add(name);
  }
  const json = {
    columns: schema.columns.map(({ name, type, nullable }) => ({ name, type: type.name, nullable })),
    // A null-prototype object keeps a key such as __proto__ what it is.
    ...(schema.metadata.size === 0
      ? {}
      : {
          metadata: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(schema.metadata)),
        }),
    ...(schema.createdBy === null ? {} : { created_by: schema.createdBy }),
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

/** Values of a schema's JSON that are taken for each column (four are defined), and for all of the user's metadata. */
const MOST_VALUES_A_COLUMN = 16;
const MOST_OTHER_VALUES = 1 << 20;

/**
 * Parses the schema's bytes.
 * @param known of another file: the result, where its bytes are the same.
 * @throws CorruptFileError ERR_METADATA; UnsupportedError ERR_DTYPE for a type of a later version; LimitError.
 */
export function parseSchema(
  bytes: Uint8Array,
  columnCount: number,
  location: FileLocation,
  known?: FileSchema,
): FileSchema {
  if (known?.bytes !== undefined && known.columns.length === columnCount && areSameBytes(known.bytes, bytes))
    return known;
  const refuse = (expected: string, found: string) => corrupt('ERR_METADATA', location, 0, expected, found);
  checkJsonValues(`${location.path}: schema`, bytes, MOST_VALUES_A_COLUMN * columnCount + MOST_OTHER_VALUES);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    throw refuse('a JSON object', error instanceof Error ? error.message : 'something else');
  }
  if (!isObject(json)) throw refuse('a JSON object', 'another JSON value');
  const listed = json['columns'];
  if (!Array.isArray(listed) || listed.length !== columnCount) {
    throw refuse(
      `columns to be an array of ${columnCount}`,
      Array.isArray(listed) ? `an array of ${listed.length}` : typeof listed,
    );
  }
  const seen = new Set<string>();
  const columns = listed.map((entry: unknown, number) => {
    if (!isObject(entry)) throw refuse(`column ${number} to be an object`, typeof entry);
    const { name, type, nullable } = entry;
    if (typeof name !== 'string' || name === '' || seen.has(name))
      throw refuse(
        `column ${number} to have a name of its own`,
        typeof name === 'string' ? JSON.stringify(name) : typeof name,
      );
    if (typeof type !== 'string' || typeof nullable !== 'boolean')
      throw refuse(`column ${number} to have a type and nullable`, `${typeof type} and ${typeof nullable}`);
    seen.add(name);
    // Not frozen: of ten thousand columns that takes longer than everything else about them.
    return { name, type: columnType(type), nullable };
  });
  const createdBy = typeof json['created_by'] === 'string' ? json['created_by'] : null;
  return Object.freeze({
    columns: Object.freeze(columns),
    metadata: parseMetadata(json['metadata'], refuse),
    createdBy,
    bytes,
  });
}

function parseMetadata(
  metadata: unknown,
  refuse: (expected: string, found: string) => Error,
): ReadonlyMap<string, string> {
  if (metadata === undefined) return new Map();
  if (!isObject(metadata)) throw refuse('metadata to be an object', typeof metadata);
  return new Map(
    Object.entries(metadata).map(([key, value]) => {
      if (typeof value !== 'string') throw refuse(`metadata ${JSON.stringify(key)} to be a string`, typeof value);
      return [key, value];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text has no lone surrogate: only then does UTF-8 give it back. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
