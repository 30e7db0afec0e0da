// Bytes -> numbers, by a Map of texts that tell them apart.
import { LimitError } from '@colkit/io';
import { textOfUnits } from '../../values/fixed-strings.ts';
import type { Cell, ColumnValues } from '../column-values.ts';
import { stateError } from '../state.ts';
import type { ValueCodes } from './codes.ts';

export class BytesCodes implements ValueCodes {
  readonly #what: string;
  readonly #most: number;
  readonly #codes = new Map<string, number>();
  readonly #values: Cell[] = [];
  #codeOfNull = -1;

  constructor(what: string, most: number) {
    this.#what = what;
    this.#most = most;
  }

  get count(): number {
    return this.#values.length;
  }

  get codeOfNull(): number {
    return this.#codeOfNull;
  }

  valueOf(code: number): Cell {
    return this.#values[code] ?? null;
  }

  encode(values: ColumnValues, rowCount: number, out: Int32Array): void {
    if (values.kind !== 'bytes') return;
    // Rows may share a value, of any length. The next block may have others in the same memory.
    const known = new Map<Uint8Array, number>();
    for (let row = 0; row < rowCount; row += 1) {
      const { validity } = values;
      const isNull = validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0;
      const value = isNull ? null : (values.values[row] ?? null);
      let code = value === null ? this.#nullCode() : known.get(value);
      if (code === undefined) {
        code = this.codeOf(value);
        known.set(value as Uint8Array, code);
      }
      out[row] = code;
    }
  }

  /** @throws LimitError. */
  codeOf(value: Cell): number {
    if (value === null) return this.#nullCode();
    if (!(value instanceof Uint8Array)) throw stateError('bytes', value);
    const key = textOfUnits(value);
    let code = this.#codes.get(key);
    if (code === undefined) {
      if (this.#codes.size === this.#most) throw new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
      // They are the source's memory, which is used again.
      code = this.#values.push(value.slice()) - 1;
      this.#codes.set(key, code);
    }
    return code;
  }

  #nullCode(): number {
    if (this.#codeOfNull === -1) this.#codeOfNull = this.#values.push(null) - 1;
    return this.#codeOfNull;
  }
}
