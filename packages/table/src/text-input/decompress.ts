// A stream of bytes that may be gzip or zstd -> the plain bytes. Told by the first four bytes.
import { UnsupportedError } from '@colkit/io';
import { inflate } from './inflate.ts';
import type { Compression } from './damaged-data.ts';

const MAGICS: readonly (readonly [Compression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

/**
 * What is taken for text by mistake, by its first bytes; each with what to do. UTF-16 without a mark is ASCII with
 * zeros between.
 */
const FOREIGN: readonly (readonly [string, readonly number[], string])[] = [
  ['bzip2', [0x42, 0x5a, 0x68], 'decompress it first (bzip2 -dc), or write gzip'],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], 'decompress it first (xz -dc), or write gzip'],
  ['lz4', [0x04, 0x22, 0x4d, 0x18], 'decompress it first (lz4 -dc), or write gzip'],
  ['zip', [0x50, 0x4b, 0x03, 0x04], 'unpack it first (unzip -p), or write gzip'],
  ['UTF-16', [0xff, 0xfe], 'convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)'],
  ['UTF-16', [0xfe, 0xff], 'convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)'],
  ['Parquet', [0x50, 0x41, 0x52, 0x31], 'read it as what it is'],
  ['Arrow', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31, 0, 0], 'read it as what it is'],
];
/** Of a bzip2 block, behind one digit: text may begin with BZh, but not like that. */
const BZIP2_BLOCKS: readonly (readonly number[])[] = [
  [0x31, 0x41, 0x59, 0x26, 0x53, 0x59],
  [0x17, 0x72, 0x45, 0x38, 0x50, 0x90],
];
const BZIP2_BLOCK_AT = 4;

/**
 * @param head the first bytes, decompressed.
 * @throws UnsupportedError ERR_FEATURE for what is no text in UTF-8, but something that is known.
 */
export function requireText(head: Uint8Array, name: string, as: 'CSV' | 'JSON'): void {
  const starts = (magic: readonly number[], at = 0): boolean => magic.every((byte, index) => head[at + index] === byte);
  const mistaken = FOREIGN.find(
    ([kind, magic]) =>
      starts(magic) &&
      (kind !== 'bzip2' || BZIP2_BLOCKS.some((block) => starts(block, BZIP2_BLOCK_AT))) &&
      // A column of a text may be called PAR1; text has no zeros.
      (kind !== 'Parquet' || head.includes(0)),
  );
  const wide =
    head.length >= 4 &&
    ((head[0] === 0 && head[1] !== 0 && head[2] === 0 && head[3] !== 0) ||
      (head[0] !== 0 && head[1] === 0 && head[2] !== 0 && head[3] === 0));
  const found = mistaken ?? (wide ? FOREIGN.find(([kind]) => kind === 'UTF-16') : undefined);
  if (found !== undefined)
    throw new UnsupportedError(
      'ERR_FEATURE',
      found[0],
      `${name}: this is ${found[0]}, which is not read as ${as}; ${found[2]}`,
    );
}

export function compressionOf(head: Uint8Array): Compression | null {
  return MAGICS.find(([, magic]) => magic.every((byte, index) => head[index] === byte))?.[0] ?? null;
}

/**
 * @throws UnsupportedError ERR_FEATURE where the runtime cannot; CorruptFileError ERR_TRUNCATED for compressed data
 * that is damaged or cut.
 */
export async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const { head, done } = await firstBytes(iterator);
    const compression = compressionOf(head);
    const all = rest(head, done, iterator);
    yield* compression === null ? all : inflate(all, compression, name);
  } finally {
    await iterator.return?.();
  }
}

async function firstBytes(
  iterator: AsyncIterator<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly done: boolean }> {
  let head = new Uint8Array(0);
  while (head.length < 4) {
    const next = await iterator.next();
    if (next.done === true) return { head, done: true };
    const joined = new Uint8Array(head.length + next.value.length);
    joined.set(head);
    joined.set(next.value, head.length);
    head = joined;
  }
  return { head, done: false };
}

async function* rest(
  head: Uint8Array,
  done: boolean,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (head.length > 0) yield head;
  if (done) return;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
}
