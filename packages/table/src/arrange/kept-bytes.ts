// Different texts that come as UTF-8, by number in the addon's table of their bytes.
import type { NumberKernels } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { utf8At } from '../aggregate/column-values.ts';
import { pickTexts } from '../aggregate/codes/hashed-texts.ts';
import { KnownTexts } from '../values/known-texts.ts';
import { decodeUtf8 } from '../values/utf8-texts.ts';
import { ByteUnits } from './byte-units.ts';
import type { NumberedTexts, TextBlock } from './numbered-texts.ts';
import { sortedUnits } from './sorted-units.ts';

/** Of blocks with UTF-8. */
export class KeptBytes implements NumberedTexts {
  readonly #kernels: NumberKernels;
  readonly #known: KnownTexts;

  constructor(kernels: NumberKernels) {
    this.#kernels = kernels;
    this.#known = new KnownTexts(kernels);
  }

  get count(): number {
    return this.#known.count;
  }

  number({ utf8 }: TextBlock, entries: Uint32Array): Uint32Array {
    const numbers = new Uint32Array(entries.length);
    if (utf8 !== undefined) this.#known.number(pickTexts(this.#kernels, utf8, entries), numbers);
    return numbers;
  }

  textOf(number: number): string {
    return utf8At(this.#known.from(0), number);
  }

  all(): readonly string[] {
    return decodeUtf8(this.#known.from(0));
  }

  sorted(): Work<Int32Array> {
    return sortedUnits(new ByteUnits(this.#known.from(0)));
  }

  only(numbers: Uint32Array): NumberedTexts {
    const kept = new KeptBytes(this.#kernels);
    kept.number({ texts: [], utf8: this.#known.from(0) }, numbers);
    return kept;
  }
}
