// What a .cna file was made of, as texts in its metadata: the ending of the file's format and its size. Of a .cna file
// it is what that one was made of. The other formats have no metadata of their users.
import { stat } from 'node:fs/promises';
import { inspect } from 'columna';
import { ORIGINAL_BYTES, ORIGINAL_FORMAT } from '../page/original.ts';
import { STANDARD } from '../terminal/output.ts';
import type { End } from './ends.ts';

interface From {
  readonly from: string;
  readonly source: End;
}

/** For the options of a writer of columna; nothing of what is no file of this machine. */
export async function originalOf({ from, source }: From): Promise<{ readonly metadata?: Record<string, string> }> {
  if (from === STANDARD) return {};
  const facts = await stat(from).catch(() => null);
  if (facts?.isFile() !== true) return {};
  if (source !== 'cna') return { metadata: { [ORIGINAL_FORMAT]: source, [ORIGINAL_BYTES]: String(facts.size) } };
  const { metadata } = await inspect(from, { columns: [], rowGroups: 0 });
  const kept = [ORIGINAL_FORMAT, ORIGINAL_BYTES].flatMap((key) => (Object.hasOwn(metadata, key) ? [key] : []));
  return kept.length === 0 ? {} : { metadata: Object.fromEntries(kept.map((key) => [key, metadata[key] ?? ''])) };
}
