// The groups of a page's rows: a code a row, and a group a code. Sums are made by code and then added to their groups,
// so that no row is looked up twice.
import type { Scratch } from '../../columns/scratch.ts';

export class RowGroups {
  readonly codes: Uint32Array;
  /** All codes are below this. */
  readonly codeCount: number;
  readonly #groupOf: Int32Array | null;
  readonly #scratch: Scratch;
  #groups: Uint32Array | null = null;

  /** @param groupOf for each code its group; null: codes are groups. */
  constructor(codes: Uint32Array, codeCount: number, groupOf: Int32Array | null, scratch: Scratch) {
    this.codes = codes;
    this.codeCount = codeCount;
    this.#groupOf = groupOf;
    this.#scratch = scratch;
  }

  /** The group of a code that occurs. */
  groupOf(code: number): number {
    return this.#groupOf === null ? code : (this.#groupOf[code] as number);
  }

  /** For every row its group: made when first asked for, in scratch memory. */
  get groups(): Uint32Array {
    return (this.#groups ??=
      this.#groupOf === null
        ? this.codes
        : translated(this.codes, this.#groupOf, this.#scratch.uint32(this.codes.length)));
  }
}

function translated(codes: Uint32Array, groupOf: Int32Array, groups: Uint32Array): Uint32Array {
  for (let i = 0; i < groups.length; i++) groups[i] = groupOf[codes[i] as number] as number;
  return groups;
}
