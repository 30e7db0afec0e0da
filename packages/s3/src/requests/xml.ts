// The XML that S3 answers with -> elements. Only what such answers have: elements, text, the five entities and
// characters by number; attributes and comments are passed over, declarations of types are refused.

export interface Element {
  readonly name: string;
  /** Of the element itself, without what is in its elements. */
  readonly text: string;
  readonly elements: readonly Element[];
}

interface Open {
  readonly name: string;
  text: string;
  readonly elements: Element[];
}

const MOST_DEPTH = 16;
/** What follows a `<`: what is passed over, CDATA, the end of an element, its beginning. */
const MARKUP = /<(?:!--[\s\S]*?-->|\?[\s\S]*?\?>|!\[CDATA\[([\s\S]*?)\]\]>|\/([^\s<>/]+)\s*>|([^\s<>/!?]+)([^<>]*)>)/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The outermost element. @throws Error for what is no XML of this kind. */
export function parseXml(given: string): Element {
  const text = given.replace(/^\uFEFF/u, '');
  const root: Open = { name: '', text: '', elements: [] };
  const open: Open[] = [root];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    const inner = open.at(-1) as Open;
    if (end > at) inner.text += unescaped(text.slice(at, end));
    if (next === -1) break;
    MARKUP.lastIndex = next;
    const found = MARKUP.exec(text);
    if (found === null) throw new Error('it is no XML');
    at = MARKUP.lastIndex;
    const [, data, closed, opened, rest = ''] = found;
    if (data !== undefined) inner.text += data;
    else if (closed !== undefined) close(open, closed);
    else if (opened !== undefined) {
      if (open.length > MOST_DEPTH) throw new Error('its elements are too deep');
      const element: Open = { name: opened.replace(/^.*:/u, ''), text: '', elements: [] };
      inner.elements.push(element);
      if (!rest.endsWith('/')) open.push(element);
    }
  }
  const [outermost] = root.elements;
  if (open.length !== 1 || outermost === undefined || root.elements.length !== 1 || root.text.trim() !== '')
    throw new Error('it is no whole XML');
  return outermost;
}

function close(open: Open[], name: string): void {
  const last = open.pop();
  if (open.length === 0 || last?.name !== name.replace(/^.*:/u, '')) throw new Error('its elements do not match');
}

function unescaped(text: string): string {
  return text.replace(/&([^;&\s]{1,10});?/gu, (whole, name: string) => {
    const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
    if (known !== undefined && whole.endsWith(';')) return known;
    const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/iu.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal ?? NaN) : parseInt(hex, 16);
    if (!(code <= 0x10ffff) || !whole.endsWith(';')) throw new Error('it has an unknown entity');
    return String.fromCodePoint(code);
  });
}

/** The text of the first element of a name in another; null: there is none. */
export function textOf(element: Element, name: string): string | null {
  return element.elements.find((each) => each.name === name)?.text ?? null;
}

/** Text as the content of an element. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${String(character.charCodeAt(0))};`);
}
