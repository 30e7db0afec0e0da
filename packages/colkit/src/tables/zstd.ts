// What the runtime itself decompresses zstd with: Node from 22.15 on.
import zlib from 'node:zlib';

export function zstdOfRuntime(): ((data: Uint8Array) => Uint8Array) | null {
  const own = (zlib as { readonly zstdDecompressSync?: (data: Uint8Array) => Uint8Array }).zstdDecompressSync;
  return own === undefined ? null : (data) => own(data);
}
