// Codecs for compressed Arrow batches: those that the user registered with apache-arrow stay; LZ4 comes from the
// optional peer lz4js, ZSTD from Node (22.15 and later) or the optional peer hyparquet-compressors.
import { peers } from '../formats/peers.ts';
import { zstdOfRuntime } from './zstd.ts';

type Arrow = typeof import('apache-arrow');
type Decode = (data: Uint8Array) => Uint8Array;

export type CodecName = 'LZ4' | 'ZSTD';

/**
 * Registers what decompresses batches of a file, where nothing does yet.
 * @returns false where this apache-arrow has no registry of codecs. @throws UnsupportedError ERR_FEATURE where the peer
 * is missing.
 */
export async function registerCodec(arrow: Arrow, codec: CodecName): Promise<boolean> {
  // Not in releases before 21.1.
  const { compressionRegistry: registry, CompressionType: types } = arrow as Partial<Arrow>;
  if (registry === undefined || types === undefined) return false;
  const type = codec === 'LZ4' ? types.LZ4_FRAME : types.ZSTD;
  if (registry.get(type)?.decode === undefined) {
    const decode = await decoderOf(codec);
    registry.set(type, { decode: (data) => aligned(decode(data)) });
  }
  return true;
}

/** apache-arrow makes arrays of 64-bit values of the bytes, where they lie. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

async function decoderOf(codec: CodecName): Promise<Decode> {
  if (codec === 'LZ4') {
    const { decompress } = await peers.lz4();
    return (data) => decompress(data);
  }
  const own = zstdOfRuntime();
  if (own !== null) return own;
  const { ZSTD } = await peers.compressors();
  if (ZSTD === undefined) throw new TypeError('hyparquet-compressors has no ZSTD');
  return (data) => ZSTD(data, 0);
}
