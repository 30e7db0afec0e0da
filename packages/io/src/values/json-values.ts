// JSON that a file holds: how many values it makes is counted before they are made. Three bytes of text ("[],") become
// a hundred of memory, and a text of nothing but brackets takes more than that while it is parsed.
import { LimitError } from '../errors/errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Passes the bytes of a JSON text (or of what claims to be one) that makes at most `most` values; keys are none. Cost:
 * a look at each byte, at none of a text that is too short for more.
 * @throws LimitError ERR_LIMIT.
 */
export function checkJsonValues(what: string, json: Uint8Array, most: number): void {
  // A value takes a byte at least.
  if (json.length <= most) return;
  let values = 1;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA || byte === OPENING_BRACKET || byte === OPENING_BRACE) values += 1;
  }
  if (values > most) throw new LimitError('ERR_LIMIT', `${what}: values of its JSON`, most, values);
}
