// The text of an object of JSON -> the texts of its members, as they were written. Relies on `JSON.parse` having taken
// it. No function calls itself, so that no depth is too deep.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** By name; of one that is there twice the last. */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let depth = 0;
  let name = '';
  // Where the last string, and the member or its value, began.
  let [quoted, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        quoted = at;
        at = closingQuote(text, at);
        break;
      case COLON:
        if (depth !== 1) break;
        name = nameOf(text.slice(quoted, at));
        from = at + 1;
        break;
      case OPEN_LIST:
      case OPEN:
        depth += 1;
        if (depth === 1) from = at + 1;
        break;
      case CLOSE_LIST:
      case CLOSE:
        depth -= 1;
        if (depth === 0) put(texts, name, text.slice(from, at));
        break;
      case COMMA:
        if (depth === 1) put(texts, name, text.slice(from, at));
        break;
      default:
    }
  }
  return texts;
}

/** Without the white space that stands outside strings. */
export function compact(text: string): string {
  if (!/[ \t\n\r]/u.test(text)) return text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code <= 0x20) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

function nameOf(quoted: string): string {
  return quoted.endsWith('"') && !quoted.includes('\\') ? quoted.slice(1, -1) : (JSON.parse(quoted) as string);
}

/** An object without members has one text, of white space. */
function put(texts: Map<string, string>, name: string, text: string): void {
  texts.set(name, text.trim());
}

function closingQuote(text: string, quote: number): number {
  let at = quote + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
