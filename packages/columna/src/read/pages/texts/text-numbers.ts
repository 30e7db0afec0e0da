// Texts of pages -> the numbers of distinct ones, in the order in which they are met: in the addon by their bytes, so
// that no text is made before all are known.
import { numberKernels } from '@colkit/io';
import type { NumberKernels } from '@colkit/io';
import type { DictionaryChunk } from '@colkit/table';
import { KnownTexts, decodeUtf8 } from '@colkit/table';
import type { ByteStrings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import { MappedNumbers } from './mapped-numbers.ts';
import type { NumberedRows, TextNumbers } from './mapped-numbers.ts';
import { checkTexts, dataOf } from './check-texts.ts';

/** The addon's table is not worth it for fewer rows. */
const WORTH_A_TABLE = 256;

/** @param rowCount how many rows there will be. @param transferable whether memory must be ordinary ArrayBuffers. */
export function textNumbers(rowCount: number, transferable: boolean, decoded: DecodedBytes | null): TextNumbers {
  const kernels = rowCount < WORTH_A_TABLE ? null : numberKernels();
  return kernels === null ? new MappedNumbers(decoded) : new HashedNumbers(kernels, transferable, decoded);
}

class HashedNumbers implements TextNumbers {
  readonly #texts: KnownTexts;
  readonly #decoded: DecodedBytes | null;
  #numbers = new Uint32Array(0);

  constructor(kernels: NumberKernels, transferable: boolean, decoded: DecodedBytes | null) {
    this.#texts = new KnownTexts(kernels, transferable);
    this.#decoded = decoded;
  }

  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array {
    const { count } = strings;
    const data = dataOf(strings);
    this.#decoded?.add(data.length);
    checkTexts(strings, data, location);
    if (this.#numbers.length < count) this.#numbers = new Uint32Array(count);
    const numbers = this.#numbers.subarray(0, count);
    this.#texts.number(strings, numbers);
    return numbers;
  }

  finish(rows: NumberedRows): DictionaryChunk {
    const utf8 = this.#texts.finish();
    let dictionary: readonly string[] | null = null;
    return {
      kind: 'dictionary',
      ...rows,
      utf8,
      get dictionary() {
        return (dictionary ??= decodeUtf8(utf8));
      },
    };
  }
}
