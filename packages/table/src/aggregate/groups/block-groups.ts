// The groups of a block of rows, numbered anew where there are more groups than rows: whoever keeps something for each
// group of a block then has no more of it than rows, whatever came before.

export interface BlockGroups {
  /** For each row its number; null: all are 0. */
  readonly groups: Uint32Array | null;
  readonly count: number;
  /** For each number its group; null: the numbers are the groups. */
  readonly groupOf: Uint32Array | null;
}

/** The group of a number of the block. */
export function groupAt(groupOf: Uint32Array | null, number: number): number {
  return groupOf === null ? number : (groupOf[number] as number);
}

/** Memory that is used again for each block. */
export class BlockNumbers {
  /** For each group its number and 1 more, 0 between the blocks. */
  #places = new Uint32Array(0);
  #groups = new Uint32Array(0);
  #groupOf = new Uint32Array(0);

  /** Good until the next call. */
  of(groups: Uint32Array | null, rowCount: number, groupCount: number): BlockGroups {
    if (groups === null || groupCount <= rowCount) return { groups, count: groupCount, groupOf: null };
    if (this.#places.length < groupCount) this.#places = new Uint32Array(2 * groupCount);
    if (this.#groups.length < rowCount) {
      this.#groups = new Uint32Array(rowCount);
      this.#groupOf = new Uint32Array(rowCount);
    }
    const [places, own, groupOf] = [this.#places, this.#groups, this.#groupOf];
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const group = groups[row] as number;
      let place = places[group] as number;
      if (place === 0) {
        groupOf[count] = group;
        count += 1;
        places[group] = place = count;
      }
      own[row] = place - 1;
    }
    for (let number = 0; number < count; number += 1) places[groupOf[number] as number] = 0;
    return { groups: own.subarray(0, rowCount), count, groupOf: groupOf.subarray(0, count) };
  }
}
