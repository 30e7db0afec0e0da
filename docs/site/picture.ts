// A fence of lines `offset | what | size | kind` -> a stack of boxes, top to bottom as the bytes lie in the file.
// Kinds: head, index, data, free, end (no box). Plain boxes of text: they stay readable on a phone and where nobody
// renders the fence.
import { escapeHtml } from './html.ts';

const KINDS: ReadonlySet<string> = new Set(['head', 'index', 'data', 'free', 'end']);

/** @throws Error where a line has more than four parts or a kind that is not known: the build fails. */
export function pictureOf(source: string): string {
  const rows = source
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [offset = '', what = '', size = '', kind = 'data', ...more] = line.split('|').map((part) => part.trim());
      if (more.length > 0 || !KINDS.has(kind))
        throw new Error(`a picture's line is "offset | what | size | kind": ${line}`);
      return (
        `<div class="bytes-row bytes-${kind}"><span class="bytes-offset">${escapeHtml(offset)}</span>` +
        `<span class="bytes-box"><span class="bytes-what">${escapeHtml(what)}</span><span ` +
        `class="bytes-size">${escapeHtml(size)}</span></span></div>`
      );
    });
  return `<div class="bytes" role="img" aria-label="${escapeHtml(describe(source))}">${rows.join('')}</div>\n`;
}

function describe(source: string): string {
  return `Bytes in order: ${source
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(0, 3)
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(', '),
    )
    .join('; ')}`;
}
