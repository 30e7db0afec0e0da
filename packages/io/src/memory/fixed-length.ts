// Arrays of a caller over buffers that can become shorter while another thread uses them: the addon takes none.

/** The array itself, or a copy of one over a resizable buffer. (Shared memory only grows.) */
export function ofFixedLength<T extends { readonly buffer: ArrayBufferLike; slice(): T }>(array: T): T {
  return (array.buffer as { readonly resizable?: boolean }).resizable === true ? array.slice() : array;
}
