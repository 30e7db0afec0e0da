// What a file says of itself beside its columns.
import { ArgumentError } from '@colkit/io';

export const CREATED_BY = 'columna (colkit)';

/** The user's texts by key. @throws ArgumentError ERR_ARGUMENT for a value that is no text. */
export function metadataOf(metadata: Readonly<Record<string, string>> | undefined): ReadonlyMap<string, string> {
  const entries = Object.entries(metadata ?? {});
  for (const [key, value] of entries) if (typeof value !== 'string') throw new ArgumentError('ERR_ARGUMENT', `options.metadata[${JSON.stringify(key)}]`, 'text', typeof value);
  return new Map(entries);
}
