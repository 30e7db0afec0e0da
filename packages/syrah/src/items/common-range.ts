// Arrays that lie one after the other in the file, read as one range: where it is, and how far it has to be shifted in
// memory so that every array of it is aligned.

/** Bytes between two arrays (padding) that are read along with them rather than skipped. */
const GAP_READ_THROUGH = 64;

export class CommonRange {
  /** In the file; both 0 where there was no byte to read. */
  start = 0;
  end = 0;
  /** How many bytes after a multiple of 8 the first byte goes. */
  shift = 0;
  /** Of the widest elements so far, which decide the shift; 0 before the first array. */
  #alignment = 0;

  reset(): void {
    this.start = 0;
    this.end = 0;
    this.shift = 0;
    this.#alignment = 0;
  }

  /**
   * Takes in the next array; false where it does not follow the others closely or no shift serves them all. One pass:
   * this runs for every array that is read.
   */
  add(byteOffset: number, byteLength: number, alignment: number): boolean {
    if (byteLength === 0) return true;
    const widest = this.#alignment;
    if (widest === 0) this.start = byteOffset;
    else if (byteOffset < this.end || byteOffset > this.end + GAP_READ_THROUGH) return false;
    this.end = byteOffset + byteLength;
    const wanted = (this.start - byteOffset) & (alignment - 1);
    if (alignment <= widest) return (this.shift & (alignment - 1)) === wanted;
    // A narrower array before it is aligned by the wider shift only if both agree modulo the narrower alignment.
    if (widest !== 0 && (wanted & (widest - 1)) !== this.shift) return false;
    this.#alignment = alignment;
    this.shift = wanted;
    return true;
  }
}
