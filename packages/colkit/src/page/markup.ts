// Text -> HTML that means this text, whatever is in it; and the small pieces that the parts of the page share.

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Control characters and changes of direction would show something else than what is there. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON inside a script element: no `<`, so that nothing in it ends the element, and nothing that turns its text. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

export function counted(value: number, noun: string): string {
  return `<b>${count(value)}</b> ${noun}${value === 1 ? '' : 's'}`;
}

/** Bytes for people, exact where they are few. */
export function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${count(bytes)} B`;
  if (bytes < 1_000_000) return `${(bytes / 1e3).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 10_000_000 ? 2 : 1)} MB`;
}

/** A share as a CSS length that adds up: no rounding that shows. */
export function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Number(((100 * part) / whole).toPrecision(8))}%`;
}

/** The class that colours an encoding. */
export function encodingClass(encoding: string): string {
  const name = /^[A-Z]+/.exec(encoding)?.[0] ?? 'other';
  return `e-${name.toLowerCase()}`;
}
