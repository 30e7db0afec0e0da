// Texts of a block that was parsed -> UTF-8: distinct ones and codes, or all of them where most are distinct. A string
// for every row, kept until it is written, costs several times that and the time of the collector.
import type { Utf8Chunk } from '../chunk/chunk.ts';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { TextBytes } from '../text-output/text-bytes.ts';

/** After so many values it is asked whether they repeat. */
const LOOK_ROWS = 1024;
const MOST_SHARE = 0.75;
const MOST_ENTRIES = 65_536;

/** Memory that is used again for each block. */
export class TextChunks {
  readonly #out = new TextBytes();
  readonly #codeOf = new Map<string, number>();

  /** @param values well-formed. */
  of(values: readonly (string | null)[]): Utf8Chunk {
    const validity = new ValidityBuilder(values.length);
    for (let row = 0; row < values.length; row += 1) if (values[row] === null) validity.setNull(row);
    const codes = new Uint16Array(values.length);
    const isCoded = this.#fillCodes(values, codes);
    const texts = isCoded ? [...this.#codeOf.keys()] : values;
    const ends = new Uint32Array(texts.length);
    const out = this.#out;
    out.at = 0;
    for (let index = 0; index < texts.length; index += 1) {
      out.text(texts[index] ?? '');
      ends[index] = out.at;
    }
    this.#codeOf.clear();
    const bytes = out.bytes.slice(0, out.at);
    const rowCount = values.length;
    return { kind: 'utf8', rowCount, bytes, ends, codes: isCoded ? codes : null, validity: validity.finish() };
  }

  /** False where most texts are distinct, or too many. */
  #fillCodes(values: readonly (string | null)[], codes: Uint16Array): boolean {
    const codeOf = this.#codeOf;
    for (let row = 0; row < values.length; row += 1) {
      const text = values[row] as string | null;
      if (text === null) continue;
      let code = codeOf.get(text);
      if (code === undefined) {
        code = codeOf.size;
        if (code === MOST_ENTRIES || (code >= LOOK_ROWS && code > row * MOST_SHARE)) return false;
        codeOf.set(text, code);
      }
      codes[row] = code;
    }
    return codeOf.size > 0;
  }
}
