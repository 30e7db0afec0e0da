// What a file says of itself beside its columns.
import { ArgumentError, describeValue, isMap, option } from '@colkit/io';
import type { OptionKind } from '@colkit/io';

export const CREATED_BY = 'columna (colkit)';

/** Texts by key. */
export type MetadataInput = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

export const METADATA_OPTION: OptionKind<MetadataInput> = option.byName('an object or a Map of texts by key');

/** The user's texts by key. @throws ArgumentError ERR_ARGUMENT for a value that is no text. */
export function metadataOf(metadata: MetadataInput | undefined): ReadonlyMap<string, string> {
  const entries: readonly (readonly [unknown, unknown])[] = isMap(metadata)
    ? [...(metadata as ReadonlyMap<unknown, unknown>)]
    : Object.entries(metadata ?? {});
  return new Map(entries.map(textByKey));
}

function textByKey([key, value]: readonly [unknown, unknown]): [string, string] {
  if (typeof key !== 'string')
    throw new ArgumentError('ERR_ARGUMENT', 'metadata', 'keys that are texts', describeValue(key));
  if (typeof value !== 'string')
    throw new ArgumentError('ERR_ARGUMENT', `metadata[${JSON.stringify(key)}]`, 'a text', describeValue(value));
  return [key, value];
}
