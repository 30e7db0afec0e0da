// The segments of the picture from the keyboard: one stop of the tab key, arrows from segment to segment and from bar
// to bar, and in words what has the focus.

export function walkSegments(bars: HTMLElement, info: HTMLElement): void {
  const rows = Array.from(bars.querySelectorAll<HTMLElement>('.bar'), (bar) =>
    Array.from(bar.querySelectorAll<HTMLAnchorElement>('a.seg')),
  ).filter((row) => row.length > 0);
  const first = rows[0]?.[0];
  if (first === undefined) return;
  first.tabIndex = 0;
  let current = first;
  const focus = (segment: HTMLAnchorElement | undefined): void => {
    if (segment === undefined) return;
    current.tabIndex = -1;
    current = segment;
    current.tabIndex = 0;
    current.focus();
  };
  bars.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows.findIndex((segments) => segments.includes(current));
    const index = rows[row]?.indexOf(current) ?? 0;
    const target = targetOf(rows, row, index, event.key);
    if (target === null) return;
    event.preventDefault();
    focus(target);
  });
  const tell = (event: Event): void => {
    if (event.target instanceof Element)
      info.textContent = event.target.closest('a.seg')?.getAttribute('title') ?? info.textContent;
  };
  bars.addEventListener('focusin', tell);
  bars.addEventListener('pointerover', tell);
  // The row group's table may be folded.
  bars.addEventListener('click', (event) => {
    const segment = event.target instanceof Element ? event.target.closest('a.seg') : null;
    const row = segment === null ? null : document.getElementById(segment.getAttribute('href')?.slice(1) ?? '');
    if (row === null) return;
    event.preventDefault();
    row.closest('details')?.setAttribute('open', '');
    for (const other of document.querySelectorAll('tr.focused')) other.classList.remove('focused');
    row.classList.add('focused');
    row.scrollIntoView({ block: 'center' });
    row.focus({ preventScroll: true });
  });
}

/** Null for a key that means something else. */
function targetOf(
  rows: readonly (readonly HTMLAnchorElement[])[],
  row: number,
  index: number,
  key: string,
): HTMLAnchorElement | undefined | null {
  const inRow = (number: number): HTMLAnchorElement | undefined => {
    const segments = rows[Math.min(rows.length - 1, Math.max(0, number))] ?? [];
    return segments[Math.min(index, segments.length - 1)];
  };
  switch (key) {
    case 'ArrowRight':
      return rows[row]?.[index + 1];
    case 'ArrowLeft':
      return rows[row]?.[index - 1];
    case 'ArrowDown':
      return inRow(row + 1);
    case 'ArrowUp':
      return inRow(row - 1);
    case 'Home':
      return rows[row]?.[0];
    case 'End':
      return rows[row]?.at(-1);
    default:
      return null;
  }
}
