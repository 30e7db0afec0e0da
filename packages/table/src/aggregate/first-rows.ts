// Where each group is first met: the place of its first row among all rows that were added.

export class FirstRows {
  /** By group. */
  readonly places: number[] = [];
  #rowCount = 0;

  /** The next rows. @param groups for every row its group; new ones are numbered as they are met. */
  addRows(rowCount: number, groups: Uint32Array, groupCount: number): void {
    const { places } = this;
    for (let row = 0; row < rowCount && places.length < groupCount; row += 1)
      if (groups[row] === places.length) places.push(this.#rowCount + row);
    this.#rowCount += rowCount;
  }

  /**
   * The next rows, as somebody else has grouped them.
   * @param groups for each of his groups the own one; -1: no row is in it. @param firstOf his group's first row.
   */
  addGroups(rowCount: number, groups: Int32Array, firstOf: (number: number) => number): void {
    const { places } = this;
    const known = places.length;
    for (let number = 0; number < groups.length; number += 1) {
      const group = groups[number] as number;
      if (group < known) continue;
      const place = this.#rowCount + firstOf(number);
      if (!((places[group] as number) <= place)) places[group] = place;
    }
    this.#rowCount += rowCount;
  }
}
