// What a file was imported from, as `colkit convert` keeps it in the metadata of .cna files. The other formats have no
// metadata of their users.
import { bytesText, escapeHtml } from './markup.ts';

/** The format's ending, without the dot, and the size of the file in bytes, as text. */
export const ORIGINAL_FORMAT = 'colkit.original.format';
export const ORIGINAL_BYTES = 'colkit.original.bytes';

/** Facts for a page: at most one. */
export function importedFrom(metadata: Readonly<Record<string, string>>, byteLength: number): string[] {
  const bytes = Number(metadata[ORIGINAL_BYTES]);
  if (!/^\d{1,15}$/.test(metadata[ORIGINAL_BYTES] ?? '') || bytes === 0) return [];
  const ratio = ((100 * byteLength) / bytes).toLocaleString('en', { maximumFractionDigits: 1 });
  const format = metadata[ORIGINAL_FORMAT] ?? 'another file';
  return [`imported from ${escapeHtml(format)} of <b>${bytesText(bytes)}</b>: this file is ${ratio} % of it`];
}
