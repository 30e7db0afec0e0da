// The typed arrays whose elements are numbers, each with loops of its own.
export type NarrowArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;
