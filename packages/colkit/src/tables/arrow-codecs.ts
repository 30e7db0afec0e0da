// Codecs for compressed Arrow batches: those that the user registered with apache-arrow stay; LZ4 is decoded here, ZSTD
// by Node (22.15 and later) or the optional peer hyparquet-compressors.
import { peers } from '../formats/peers.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import { zstdOfRuntime } from './zstd.ts';

type Arrow = typeof import('apache-arrow');
type Decode = (data: Uint8Array) => Uint8Array;

/**
 * Registers what decompresses batches of a file and needs no package, where nothing does yet.
 * @returns false where this apache-arrow has no registry of codecs.
 */
export function registerCodecs(arrow: Arrow): boolean {
  const own = zstdOfRuntime();
  return register(arrow, 'LZ4_FRAME', decodeLz4Frame) && (own === null || register(arrow, 'ZSTD', own));
}

/** ZSTD by the peer, where nothing has it yet. @throws UnsupportedError ERR_FEATURE where the peer is missing. */
export async function registerZstdOfPeer(arrow: Arrow): Promise<void> {
  const { ZSTD } = await peers.compressors();
  if (ZSTD === undefined) throw new TypeError('hyparquet-compressors has no ZSTD');
  register(arrow, 'ZSTD', (data) => ZSTD(data, 0));
}

function register(arrow: Arrow, codec: 'LZ4_FRAME' | 'ZSTD', decode: Decode): boolean {
  // Not in releases before 21.1.
  const { compressionRegistry: registry, CompressionType: types } = arrow as Partial<Arrow>;
  if (registry === undefined || types === undefined) return false;
  const type = types[codec];
  if (registry.get(type)?.decode === undefined) registry.set(type, { decode: (data) => aligned(decode(data)) });
  return true;
}

/** apache-arrow makes arrays of 64-bit values of the bytes, where they lie. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}
