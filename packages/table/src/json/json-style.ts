// How values are written as JSON: it knows no integers of 64 bits, no moments, no bytes and no NaN.
import type { DTypeInfo } from '@colkit/io';
import type { TextBytes } from '../text-output/text-bytes.ts';
import type { ValueStyle, WriteRow } from '../text-output/value-writers.ts';
import { toBase64 } from '../values/base64.ts';
import { endInUTC } from '../values/iso-texts.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const ENCODER = new TextEncoder();

export class JsonStyle implements ValueStyle {
  readonly nullWord = ENCODER.encode('null');
  readonly natWord: Uint8Array;
  /** As values of JSON.stringify, of which every one is a double. */
  readonly shortFloats = false;
  readonly #nanWord: string;
  /** Rows that share their bytes share the text. */
  readonly #base64 = new WeakMap<Uint8Array, string>();

  /** @param nan NaN and NaT as text, or as null. */
  constructor(nan: 'text' | 'null') {
    this.natWord = nan === 'null' ? this.nullWord : ENCODER.encode('"NaT"');
    this.#nanWord = nan === 'null' ? 'null' : '"NaN"';
  }

  nonFinite(number: number): string {
    return Number.isNaN(number) ? this.#nanWord : `"${String(number)}"`;
  }

  wide(digits: string): string {
    return `"${digits}"`;
  }

  quoting(_: DTypeInfo, _out: TextBytes, write: WriteRow): WriteRow {
    return write;
  }

  aroundMoment(info: DTypeInfo): readonly [string, string] {
    return ['"', `${endInUTC(info)}"`];
  }

  utf8(out: TextBytes, bytes: Uint8Array, from: number, end: number): void {
    const start = out.at;
    out.byte(QUOTE);
    out.copy(bytes, from, end);
    const own = out.bytes;
    for (let at = start + 1; at < out.at; at += 1) {
      const byte = own[at] as number;
      if (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) continue;
      out.at = start;
      this.text(out, DECODER.decode(bytes.slice(from, end)));
      return;
    }
    out.byte(QUOTE);
  }

  /** Halves of characters are escaped. */
  text(out: TextBytes, text: string): void {
    out.text(JSON.stringify(text));
  }

  bytes(out: TextBytes, bytes: Uint8Array): void {
    let text = this.#base64.get(bytes);
    if (text === undefined) this.#base64.set(bytes, (text = toBase64(bytes)));
    out.byte(QUOTE);
    out.text(text);
    out.byte(QUOTE);
  }
}
