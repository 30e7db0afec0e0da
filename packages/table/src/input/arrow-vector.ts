// What is used of Apache's vectors.

export interface ArrowType {
  readonly typeId: number;
  readonly bitWidth?: number;
  readonly isSigned?: boolean;
  readonly precision?: number;
  readonly unit?: number;
  readonly dictionary?: ArrowType;
  /** 'Decimal[10e+2]' */
  toString(): string;
}

export interface ArrowChunk {
  readonly length: number;
  /** Where its validity and booleans start, in bits. */
  readonly offset: number;
  readonly nullCount: number;
  readonly values?: unknown;
  readonly nullBitmap?: Uint8Array | null;
  /** Of utf8 and binary: where each value ends, and the first begins. */
  readonly valueOffsets?: ArrayLike<number | bigint>;
  /** Of views: the bytes of those that are longer than twelve. */
  readonly variadicBuffers?: readonly Uint8Array[];
  /** Of dictionaries, whose values are codes. */
  readonly dictionary?: ArrowVector;
}

export interface ArrowVector {
  readonly length: number;
  readonly type: ArrowType;
  readonly data: readonly ArrowChunk[];
  get(index: number): unknown;
}
