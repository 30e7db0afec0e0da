// Texts of pages -> the numbers of distinct ones, in the order in which they are met, by a Map.
import type { DictionaryChunk } from '@colkit/table';
import type { ByteStrings } from '../../../columns/vector.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import { decodeTexts } from './texts.ts';

/** Rows of which each has the number of its text, -1 for a null. */
export type NumberedRows = Pick<DictionaryChunk, 'rowCount' | 'codes' | 'validity'>;

export interface TextNumbers {
  /**
   * Good until the next call.
   * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8; LimitError.
   */
  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array;
  finish(rows: NumberedRows): DictionaryChunk;
}

export class MappedNumbers implements TextNumbers {
  readonly #dictionary: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #decoded: DecodedBytes | null;

  constructor(decoded: DecodedBytes | null) {
    this.#decoded = decoded;
  }

  numbersOf(strings: ByteStrings, location: FileLocation): Uint32Array {
    const numbers = new Uint32Array(strings.count);
    for (const [i, text] of decodeTexts(strings, location, this.#decoded).entries()) {
      let number = this.#known.get(text);
      if (number === undefined) {
        number = this.#dictionary.push(text) - 1;
        this.#known.set(text, number);
      }
      numbers[i] = number;
    }
    return numbers;
  }

  finish(rows: NumberedRows): DictionaryChunk {
    return { kind: 'dictionary', ...rows, dictionary: this.#dictionary };
  }
}
