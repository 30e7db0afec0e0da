// An Arrow file or stream (Feather V2 is one) -> an Arrow table, through the optional peer apache-arrow. What it cannot
// read is told apart: compressed with what nothing decompresses, of another format, of a type that it does not know,
// damaged.
import { CorruptFileError, IoError, UnsupportedError, isColkitError } from '@colkit/io';
import { readFile } from 'node:fs/promises';
import { peers } from '../formats/peers.ts';
import { registerCodec } from './arrow-codecs.ts';
import type { CodecName } from './arrow-codecs.ts';

type ArrowFile = ReturnType<typeof import('apache-arrow').tableFromIPC>;
type Arrow = typeof import('apache-arrow');

const FILE_MAGIC = 'ARROW1';
/** The magic and two bytes that fill up eight: what follows is the stream. */
const STREAM_IN_FILE = 8;
const FEATHER_V1 = 'FEA1';
const CODECS: readonly CodecName[] = ['LZ4', 'ZSTD'];
const UNCOMPRESSED =
  "write it without compression (pyarrow: feather.write_feather(…, compression='uncompressed'), " +
  'IpcWriteOptions(compression=None))';

/**
 * @throws UnsupportedError ERR_FEATURE (the peer is missing, compression, Feather V1), ERR_DTYPE; CorruptFileError;
 * IoError.
 */
export async function readArrow(path: string): Promise<ArrowFile> {
  const arrow = await peers.arrow();
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new IoError(
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'ERR_NOT_FOUND' : 'ERR_READ',
      'read',
      path,
      error instanceof Error ? error.message : String(error),
      error,
    );
  }
  if (startsWith(bytes, FEATHER_V1))
    throw new UnsupportedError(
      'ERR_FEATURE',
      'Feather V1',
      `${path}: this is Feather V1, which is not read; write it as V2 (pyarrow: feather.write_feather(…, ` +
        `version=2, compression='uncompressed'))`,
    );
  if (bytes.length === 0)
    throw new CorruptFileError('ERR_TRUNCATED', {
      path,
      region: 'Arrow file',
      byteOffset: 0,
      expected: 'an Arrow file',
      found: 'an empty one',
    });
  try {
    return arrow.tableFromIPC(bytes);
  } catch (error) {
    const codec = isCompression(error) ? codecOf(bytes, arrow) : null;
    if (codec === null || !(await registered(path, arrow, codec))) throw arrowFault(path, bytes, arrow, error);
  }
  try {
    return arrow.tableFromIPC(bytes);
  } catch (error) {
    throw arrowFault(path, bytes, arrow, error);
  }
}

const isCompression = (error: unknown): boolean => error instanceof Error && /compress/iu.test(error.message);

/** Whether batches of the file can be decompressed now. @throws UnsupportedError ERR_FEATURE. */
async function registered(path: string, arrow: Arrow, codec: CodecName): Promise<boolean> {
  try {
    return await registerCodec(arrow, codec);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    throw new UnsupportedError(
      'ERR_FEATURE',
      codec,
      `${path}: its batches are compressed with ${codec}; ${error.message}, or ${UNCOMPRESSED}`,
    );
  }
}

/** What apache-arrow threw, which is plain Errors. */
function arrowFault(path: string, bytes: Uint8Array, arrow: Arrow, error: unknown): Error {
  if (isColkitError(error)) return error;
  const found = error instanceof Error ? error.message : String(error);
  if (isCompression(error)) {
    const codec = codecOf(bytes, arrow) ?? 'LZ4 or ZSTD';
    return new UnsupportedError(
      'ERR_FEATURE',
      codec,
      `${path}: its batches are compressed with ${codec}, which is not read; ${UNCOMPRESSED}`,
    );
  }
  const type = /^Unrecognized type: "([A-Z]\w*)"/u.exec(found)?.[1];
  if (type !== undefined)
    return new UnsupportedError(
      'ERR_DTYPE',
      type,
      `${path}: a column has the Arrow type ${type}, which apache-arrow does not read; write the file without it`,
    );
  return new CorruptFileError('ERR_METADATA', {
    path,
    region: 'Arrow file',
    byteOffset: 0,
    expected: 'an Arrow file that apache-arrow reads',
    found,
    cause: error,
  });
}

/** What the first compressed batch says. */
function codecOf(bytes: Uint8Array, { MessageReader }: Arrow): CodecName | null {
  try {
    const reader = new MessageReader(startsWith(bytes, FILE_MAGIC) ? bytes.subarray(STREAM_IN_FILE) : bytes);
    for (let message = reader.readMessage(); message !== null; message = reader.readMessage()) {
      const header: unknown = message.header();
      const compression: unknown =
        typeof header === 'object' && header !== null && 'compression' in header ? header.compression : null;
      const codec =
        typeof compression === 'object' && compression !== null && 'type' in compression
          ? CODECS[Number(compression.type)]
          : undefined;
      if (codec !== undefined) return codec;
      reader.readMessageBody(message.bodyLength);
    }
  } catch {
    // An older apache-arrow, whose messages do not tell.
  }
  return null;
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return Array.from(magic).every((letter, at) => bytes[at] === letter.charCodeAt(0));
}
