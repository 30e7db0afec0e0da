// Rows of numbers -> horizontal bars as inline SVG. Lengths are shares of the width and texts keep their size, so that
// the same drawing serves a phone and a wide screen; colours are the site's variables, so that it serves both schemes.
import { escapeHtml } from '../html.ts';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value as it is written. */
  readonly text: string;
  /** From where to where the samples spread; null where there is one value only. */
  readonly spread: readonly [low: number, high: number] | null;
}

const ROW = 44;
const BAR_TOP = 20;
const BAR_HEIGHT = 12;
/** Candidates of this repository are drawn in its colour. */
const OURS = /^(?:colstore|columna|syrah)(?:-js|-table|-items)?(?:\/|$)/;

/** The smallest first. Empty where there are none. */
export function barsOf(title: string, bars: readonly Bar[]): string {
  if (bars.length === 0) return '';
  const rows = [...bars].sort((a, b) => a.value - b.value);
  const longest = rows.reduce((most, { value, spread }) => Math.max(most, value, spread?.[1] ?? 0), Number.MIN_VALUE);
  const share = (value: number): string => `${((100 * value) / longest).toFixed(2)}%`;
  const drawn = rows.map(({ name, value, text, spread }, index) => {
    const top = index * ROW;
    const middle = top + BAR_TOP + BAR_HEIGHT / 2;
    const line =
      spread === null
        ? ''
        : `<line class="bars-spread" x1="${share(spread[0])}" x2="${share(spread[1])}" y1="${middle}" y2="${middle}"/>`;
    return (
      `<text class="bars-name" x="0" y="${top + 14}">${escapeHtml(name)}</text>` +
      `<text class="bars-value" x="100%" y="${top + 14}" text-anchor="end">${escapeHtml(text)}</text>` +
      `<rect class="${OURS.test(name) ? 'bars-ours' : 'bars-peer'}" x="0" y="${top + BAR_TOP}" ` +
      `width="${share(value)}" height="${BAR_HEIGHT}" rx="2"/>${line}`
    );
  });
  const summary = rows.map(({ name, text }) => `${name} ${text}`).join(', ');
  return (
    `<figure class="figure" v-pre><svg class="bars" width="100%" height="${rows.length * ROW}" role="img" ` +
    `aria-label="${escapeHtml(`${title}: ${summary}`)}">${drawn.join('')}</svg></figure>`
  );
}
