// The bytes of byte strings that are compressed in pieces: each piece is decompressed when it is first needed.

export interface LazyBytes {
  /** Bytes of all strings together. */
  readonly byteLength: number;
  /**
   * All bytes, of which those of the strings from byte `start` to byte `end` are there, and others may be 0. The same
   * memory each time.
   * @throws CorruptFileError ERR_LAYOUT where they are not as they must be.
   */
  load(start: number, end: number): Uint8Array;
}
