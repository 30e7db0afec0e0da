// What a file says of itself beside its columns.
import { ArgumentError, describeValue, option } from '@colkit/io';
import type { OptionKind } from '@colkit/io';

export const CREATED_BY = 'columna (colkit)';

export const METADATA_OPTION: OptionKind<Readonly<Record<string, string>>> = option.object('an object of texts by key');

/** The user's texts by key. @throws ArgumentError ERR_ARGUMENT for a value that is no text. */
export function metadataOf(metadata: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  const entries = Object.entries(metadata ?? {});
  for (const [key, value] of entries) if (typeof value !== 'string') throw new ArgumentError('ERR_ARGUMENT', `metadata[${JSON.stringify(key)}]`, 'a text', describeValue(value));
  return new Map(entries);
}
