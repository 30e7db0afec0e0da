// Where the records of JSON text lie, by its bytes: lines, values one after another, or the elements of one list. What
// a record holds is not looked at, but for where strings and brackets end.

/**
 * 'lines': one record a line; 'values': records that may take several lines, with white space between them; 'list': the
 * same between the brackets of one list, with commas.
 */
export type JsonForm = 'lines' | 'values' | 'list';

/**
 * What has been seen of a list: nothing, an element or a comma behind one last, its end. 'looked at': somebody has seen
 * all of it, and commas are passed over.
 */
export type ListState = 'begun' | 'element' | 'comma' | 'closed' | 'looked at';

export interface Records {
  /** For each record the bytes [start, end), and how many line breaks stand before it. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly lines: readonly number[];
  /** Bytes up to the end of the last whole record, and what follows it on its line. */
  readonly byteLength: number;
  /** Line breaks in these. */
  readonly lineCount: number;
  /** What is wrong behind the last record; null: nothing. */
  readonly fault: RecordFault | null;
  /** Of a list, up to `byteLength`. */
  readonly state: ListState;
}

interface RecordFault {
  readonly expected: string;
  readonly found: string;
  /** Line breaks before it. */
  readonly line: number;
  /** Its first byte. */
  readonly at: number;
}

const LF = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Of a byte, or of a unit of text. */
export const isSpace = (byte: number): boolean => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;

/** @param final whether nothing follows `bytes`. @param state of the list before them. */
export function findRecords(bytes: Uint8Array, form: JsonForm, final: boolean, state: ListState): Records {
  return form === 'lines' ? findLines(bytes, final) : findValues(bytes, form === 'list', final, state);
}

function findLines(bytes: Uint8Array, final: boolean): Records {
  const [starts, ends, lines]: [number[], number[], number[]] = [[], [], []];
  let [at, line] = [0, 0];
  while (at < bytes.length) {
    const found = bytes.indexOf(LF, at);
    if (found === -1 && !final) break;
    const end = found === -1 ? bytes.length : found;
    let start = at;
    while (start < end && isSpace(bytes[start] as number)) start += 1;
    if (start < end) {
      starts.push(start);
      ends.push(end);
      lines.push(line);
    }
    at = end;
    if (found !== -1) [at, line] = [at + 1, line + 1];
  }
  return { starts, ends, lines, byteLength: at, lineCount: line, fault: null, state: 'begun' };
}

function findValues(bytes: Uint8Array, inList: boolean, final: boolean, before: ListState): Records {
  const [starts, ends, lines]: [number[], number[], number[]] = [[], [], []];
  let [at, line, byteLength, lineCount] = [0, 0, 0, 0];
  let state = before;
  const done = (fault: RecordFault | null = null): Records =>
    ({ starts, ends, lines, byteLength, lineCount, fault, state }) satisfies Records;
  const refused = (expected: string, found = shown(bytes, at)): Records => done({ expected, found, line, at });
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === LF) line += 1;
    if (isSpace(byte)) {
      [byteLength, lineCount] = [at + 1, line];
      continue;
    }
    if (state === 'closed') return refused('nothing behind the list');
    if (inList && byte === COMMA && (state === 'element' || state === 'looked at')) {
      if (state === 'element') state = 'comma';
      [byteLength, lineCount] = [at + 1, line];
      continue;
    }
    if (inList && byte === CLOSE_LIST && state !== 'comma') {
      state = 'closed';
      [byteLength, lineCount] = [at + 1, line];
      continue;
    }
    if (inList && state === 'element') return refused('a comma or the end of the list');
    if (byte !== OPEN) return refused('an object for each row');
    const end = endOfObject(bytes, at);
    if (end === -1) return final ? refused('an object that ends', 'the end of the text') : done();
    starts.push(at);
    ends.push(end);
    lines.push(line);
    for (let next = bytes.indexOf(LF, at); next !== -1 && next < end; next = bytes.indexOf(LF, next + 1)) line += 1;
    at = end - 1;
    [byteLength, lineCount] = [end, line];
    if (inList && state !== 'looked at') state = 'element';
  }
  if (final && inList && (state === 'begun' || state === 'element' || state === 'comma'))
    return refused('a list that ends', 'the end of the text');
  return done();
}

/** -1: it does not end here. */
function endOfObject(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function shown(bytes: Uint8Array, at: number): string {
  return JSON.stringify(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + 20)));
}
