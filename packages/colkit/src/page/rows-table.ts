// Rows as a table that scrolls sideways where it is wide.
import { escapeHtml } from './markup.ts';

/** @param label what the region is called. Cells that are 'null' are shown as such. */
export function rowsTable(
  label: string,
  names: readonly string[],
  numeric: readonly boolean[],
  rows: readonly (readonly string[])[],
): string {
  const side = (index: number) => (numeric[index] === true ? ' class="n"' : '');
  const head = names.map((name, index) => `<th scope="col"${side(index)}>${escapeHtml(name)}</th>`).join('');
  const cellOf = (cell: string, index: number): string => {
    const look = cell === 'null' ? ` class="null${numeric[index] === true ? ' n' : ''}"` : side(index);
    return `<td${look}>${escapeHtml(unquoted(cell))}</td>`;
  };
  const body = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`).join('\n');
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">
<table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>`;
}

/** Texts without their quotes, unless that would make something else of them. */
function unquoted(cell: string): string {
  return /^"[^"\\]+"$/.test(cell) && cell !== '"null"' ? cell.slice(1, -1) : cell;
}
