// The bytes of small local files of a dataset: some at a time, ahead of those who ask for them list by list.
import { begin, smallFiles, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import type { PartFormat, PartOptions, PartPlace } from './part-format.ts';

/** Files of a list. */
const TOGETHER = 64;
/** Lists of files that are being read while another one is used. */
const AHEAD = 2;

type FileBytes = readonly (Uint8Array | null)[];

export class SmallParts {
  readonly #paths: readonly string[];
  readonly #mostBytes: number;
  readonly #backend: PartOptions['backend'];
  readonly #begun: Begun<FileBytes>[] = [];
  #begunPaths = 0;

  /** @param formats of the files at these places. */
  constructor(places: readonly PartPlace[], formats: readonly PartFormat[], { backend }: PartOptions) {
    this.#paths = places.map(({ path }, index) => (formats[index]?.wholeBytes === undefined ? '' : (path ?? '')));
    this.#mostBytes = formats.reduce((most, { wholeBytes }) => Math.max(most, wholeBytes ?? 0), 0);
    this.#backend = backend;
  }

  /** Of the next files, some at a time: null for one that is to be opened. Of no files an empty list. */
  *next(): Work<FileBytes> {
    while (this.#begun.length <= AHEAD && this.#begunPaths < this.#paths.length) {
      const paths = this.#paths.slice(this.#begunPaths, this.#begunPaths + TOGETHER);
      this.#begun.push(yield* begin(smallFiles(paths, this.#mostBytes, this.#backend)));
      this.#begunPaths += paths.length;
    }
    const first = this.#begun.shift();
    return first === undefined ? [] : yield* wait(first);
  }
}
