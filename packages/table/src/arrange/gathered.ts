/** The elements at some indexes, in their order. */
export function gathered<T extends Uint8Array | Int32Array | Uint32Array>(from: T, indexes: Int32Array): T {
  const out = from.slice(0, indexes.length) as T;
  for (let index = 0; index < out.length; index += 1) out[index] = from[indexes[index] as number] as number;
  return out;
}
