// Pieces of text on their way into an output: written many at a time, since each write is a call of the system and a
// turn of the event loop.
import type { Output } from '../terminal/output.ts';

const CHARACTERS_AT_ONCE = 65_536;

export class GatheredText {
  readonly #output: Output;
  readonly #encoder = new TextEncoder();
  #text = '';

  constructor(output: Output) {
    this.#output = output;
  }

  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= CHARACTERS_AT_ONCE) await this.#write();
  }

  /** Writes the rest, and finishes the output. */
  async finish(): Promise<void> {
    await this.#write();
    await this.#output.finish();
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }

  async #write(): Promise<void> {
    const bytes = this.#encoder.encode(this.#text);
    this.#text = '';
    if (bytes.length > 0) await this.#output.write(bytes);
  }
}
