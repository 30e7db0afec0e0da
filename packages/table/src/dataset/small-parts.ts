// The bytes of small local files of a dataset: some at a time, ahead of those who ask for them one by one.
import { begin, smallFiles, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import type { PartFormat, PartOptions, PartPlace } from './part-format.ts';

const TOGETHER = 64;
/** Lists of files that are being read while another one is used. */
const AHEAD = 2;

export class SmallParts {
  readonly #paths: readonly string[];
  readonly #mostBytes: number;
  readonly #backend: PartOptions['backend'];
  readonly #begun: Begun<readonly (Uint8Array | null)[]>[] = [];
  #nextList = 0;
  #list = -1;
  #bytes: readonly (Uint8Array | null)[] = [];

  constructor(parts: readonly { readonly place: PartPlace; readonly format: PartFormat }[], { backend }: PartOptions) {
    this.#paths = parts.map(({ place, format }) => (format.wholeBytes === undefined ? '' : (place.path ?? '')));
    this.#mostBytes = parts.reduce((most, { format }) => Math.max(most, format.wholeBytes ?? 0), 0);
    this.#backend = backend;
  }

  /** Of the files one after another. Null: it is to be opened. */
  *bytesOf(number: number): Work<Uint8Array | null> {
    const list = Math.floor(number / TOGETHER);
    if (list !== this.#list) {
      while (this.#nextList <= list + AHEAD && this.#nextList * TOGETHER < this.#paths.length) {
        const start = this.#nextList * TOGETHER;
        const paths = this.#paths.slice(start, start + TOGETHER);
        this.#begun.push(yield* begin(smallFiles(paths, this.#mostBytes, this.#backend)));
        this.#nextList += 1;
      }
      this.#bytes = yield* wait(this.#begun.shift() as Begun<readonly (Uint8Array | null)[]>);
      this.#list = list;
    }
    return this.#bytes[number % TOGETHER] ?? null;
  }
}
