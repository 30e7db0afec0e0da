// Stretches of a file's bytes, to scale, as a strip and a list.
import { bytesText, count, escapeHtml, share } from './markup.ts';

export interface Stretch {
  readonly what: string;
  readonly byteLength: number;
  /** A class of the style. */
  readonly look: string;
}

/** A part narrower than this share has no label. */
const LEAST_LABELLED = 0.08;
/** Parts that are drawn; the others together are one more. */
const MOST = 60;

export function stretchesOf(caption: string, stretches: readonly Stretch[]): string {
  const whole = stretches.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const rest = stretches.slice(MOST);
  const shown = [
    ...stretches.slice(0, MOST),
    ...(rest.length === 0
      ? []
      : [
          {
            what: `${count(rest.length)} more`,
            byteLength: rest.reduce((sum, { byteLength }) => sum + byteLength, 0),
            look: 'unlisted',
          },
        ]),
  ];
  const parts = shown.map(
    ({ what, byteLength, look }) =>
      `<span class="part ${look}" style="width:${share(byteLength, whole)}" title="${escapeHtml(what)}: ` +
      `${count(byteLength)} bytes">${byteLength / whole > LEAST_LABELLED ? escapeHtml(what) : ''}</span>`,
  );
  const items = shown.map(
    ({ what, byteLength, look }) =>
      `<li><i class="swatch part ${look}"></i>${escapeHtml(what)} <small>${bytesText(byteLength)}</small></li>`,
  );
  return `<figure class="picture"><figcaption>${escapeHtml(caption)}, ${bytesText(whole)}</figcaption>
<div class="strip">${parts.join('')}</div>
<ul class="stretches">${items.join('\n')}</ul></figure>`;
}
