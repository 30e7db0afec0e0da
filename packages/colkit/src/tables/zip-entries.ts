// A ZIP archive, as numpy writes .npz files: its entries and where their bytes lie, and one that is written, entries
// stored as they are. Archives beyond 4 GiB both ways (ZIP64).
import { CorruptFileError, UnsupportedError } from '@colkit/io';
import type { RandomAccessSource, Sink } from '@colkit/io';
import { crc32, inflateRawSync } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 65_535;
const FULL = 0xffff_ffff;
const STORED = 0;
const DEFLATED = 8;

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly byteLength: number;
  readonly headerOffset: number;
}

/** @throws CorruptFileError. */
export async function zipEntries(source: RandomAccessSource): Promise<readonly ZipEntry[]> {
  const tailBytes = Math.min(source.byteLength, END_BYTES + LONGEST_COMMENT + LOCATOR_BYTES);
  const tail = await viewOf(source, source.byteLength - tailBytes, tailBytes);
  let at = tailBytes - END_BYTES;
  while (at >= 0 && tail.getUint32(at, true) !== END) at -= 1;
  if (at < 0) throw damaged(source, 'the end of a ZIP archive', 'none');
  let [count, size, offset] = [
    tail.getUint16(at + 10, true),
    tail.getUint32(at + 12, true),
    tail.getUint32(at + 16, true),
  ];
  const locator = at - LOCATOR_BYTES;
  if (locator >= 0 && tail.getUint32(locator, true) === LOCATOR_64) {
    const end = await viewOf(source, Number(tail.getBigUint64(locator + 8, true)), 56);
    if (end.getUint32(0, true) !== END_64) throw damaged(source, 'the end of a ZIP64 archive', 'other bytes');
    [count, size, offset] = [32, 40, 48].map((field) => Number(end.getBigUint64(field, true))) as [
      number,
      number,
      number,
    ];
  }
  return parseDirectory(source, await viewOf(source, offset, size), count);
}

function parseDirectory(source: RandomAccessSource, view: DataView, count: number): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + CENTRAL_BYTES > view.byteLength || view.getUint32(at, true) !== CENTRAL)
      throw damaged(source, `the entry ${String(entries.length)} of the archive`, 'other bytes');
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const nameAt = at + CENTRAL_BYTES;
    const next = nameAt + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw damaged(source, 'whole entries', 'a part of one');
    const wide = wideFields(view, nameAt + nameBytes, extraBytes);
    const field = (offset: number): number => {
      const value = view.getUint32(at + offset, true);
      return value === FULL ? Number(wide.shift() ?? FULL) : value;
    };
    // In the order in which ZIP64 keeps them.
    const byteLength = field(24);
    const packedBytes = field(20);
    const headerOffset = field(42);
    const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      new Uint8Array(view.buffer, view.byteOffset + nameAt, nameBytes),
    );
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes,
      byteLength,
      headerOffset,
    });
    at = next;
  }
  return entries;
}

/** The values of the ZIP64 field among the extra ones. */
function wideFields(view: DataView, start: number, bytes: number): bigint[] {
  for (let at = start; at + 4 <= start + bytes; ) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1)
      return Array.from({ length: Math.min(length, start + bytes - at - 4) >> 3 }, (_, index) =>
        view.getBigUint64(at + 4 + 8 * index, true),
      );
    at += 4 + length;
  }
  return [];
}

/** All bytes of an entry. @throws CorruptFileError ERR_CRC; UnsupportedError for other methods than deflate. */
export async function readEntry(source: RandomAccessSource, entry: ZipEntry): Promise<Uint8Array> {
  const { name, method, headerOffset, packedBytes, byteLength } = entry;
  if (method !== STORED && method !== DEFLATED)
    throw new UnsupportedError('ERR_ENCODING', `ZIP method ${String(method)}`, `${source.path}: entry ${name}`);
  const header = await viewOf(source, headerOffset, LOCAL_BYTES);
  if (header.getUint32(0, true) !== LOCAL) throw damaged(source, `the entry ${name}`, 'other bytes');
  const start = headerOffset + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = await viewOf(source, start, packedBytes);
  const raw = new Uint8Array(packed.buffer);
  const bytes = method === STORED ? raw : inflated(raw, byteLength);
  if (bytes?.byteLength === byteLength && crc32(bytes) === entry.crc) return bytes;
  throw damaged(source, `the entry ${name} with its checksum`, 'other bytes', 'ERR_CRC');
}

/** Null of what is not compressed so, or longer. */
function inflated(packed: Uint8Array, byteLength: number): Uint8Array | null {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, byteLength) });
  } catch {
    return null;
  }
}

/** Entries one after another into a sink; their sizes are known before their bytes. */
export class ZipWriter {
  readonly #sink: Sink;
  readonly #entries: ZipEntry[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  async add(name: string, byteLength: number, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const headerOffset = this.#sink.position;
    const entry = { name, method: STORED, crc: 0, packedBytes: byteLength, byteLength, headerOffset };
    await this.#sink.write(headerOf(entry, false));
    let crc = 0;
    for await (const piece of pieces) {
      crc = crc32(piece, crc);
      await this.#sink.write(piece);
    }
    const done = { ...entry, crc };
    await this.#sink.writeAt(headerOffset, headerOf(done, false));
    this.#entries.push(done);
  }

  async finish(): Promise<void> {
    const offset = this.#sink.position;
    for (const entry of this.#entries) await this.#sink.write(headerOf(entry, true));
    const count = this.#entries.length;
    const size = this.#sink.position - offset;
    const wide = new DataView(new ArrayBuffer(56 + LOCATOR_BYTES));
    wide.setUint32(0, END_64, true);
    wide.setBigUint64(4, 44n, true);
    wide.setUint16(12, 45, true);
    wide.setUint16(14, 45, true);
    for (const [at, value] of [
      [24, count],
      [32, count],
      [40, size],
      [48, offset],
      [56 + 8, offset + size],
    ] as const)
      wide.setBigUint64(at, BigInt(value), true);
    wide.setUint32(56, LOCATOR_64, true);
    wide.setUint32(56 + 16, 1, true);
    if (offset + size >= FULL || count >= 0xffff) await this.#sink.write(new Uint8Array(wide.buffer));
    const end = new DataView(new ArrayBuffer(END_BYTES));
    end.setUint32(0, END, true);
    end.setUint16(8, Math.min(count, 0xffff), true);
    end.setUint16(10, Math.min(count, 0xffff), true);
    end.setUint32(12, Math.min(size, FULL), true);
    end.setUint32(16, Math.min(offset, FULL), true);
    await this.#sink.write(new Uint8Array(end.buffer));
  }
}

/** In front of an entry, or in the directory. The wide sizes are always there, as numpy has them. */
function headerOf({ name, crc, byteLength, headerOffset }: ZipEntry, isCentral: boolean): Uint8Array {
  const text = new TextEncoder().encode(name);
  const fixed = isCentral ? CENTRAL_BYTES : LOCAL_BYTES;
  const wide = isCentral ? 3 : 2;
  const out = new Uint8Array(fixed + text.length + 4 + 8 * wide);
  const view = new DataView(out.buffer);
  // Behind the signature (and who made it) both have the same fields.
  const at = isCentral ? 6 : 4;
  view.setUint32(0, isCentral ? CENTRAL : LOCAL, true);
  if (isCentral) view.setUint16(4, 45, true);
  view.setUint16(at, 45, true);
  // Names are UTF-8; the date is the first that the format has.
  view.setUint16(at + 2, 0x800, true);
  view.setUint16(at + 8, 0x21, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, FULL, true);
  view.setUint32(at + 18, FULL, true);
  view.setUint16(at + 22, text.length, true);
  view.setUint16(at + 24, 4 + 8 * wide, true);
  if (isCentral) view.setUint32(42, FULL, true);
  out.set(text, fixed);
  const extra = fixed + text.length;
  view.setUint16(extra, 1, true);
  view.setUint16(extra + 2, 8 * wide, true);
  view.setBigUint64(extra + 4, BigInt(byteLength), true);
  view.setBigUint64(extra + 12, BigInt(byteLength), true);
  if (isCentral) view.setBigUint64(extra + 20, BigInt(headerOffset), true);
  return out;
}

async function viewOf(source: RandomAccessSource, start: number, length: number): Promise<DataView> {
  if (!(start >= 0 && length >= 0 && start + length <= source.byteLength))
    throw damaged(source, 'a range within the file', `${String(length)} bytes at ${String(start)}`);
  const bytes = new Uint8Array(length);
  await source.read(start, bytes);
  return new DataView(bytes.buffer);
}

function damaged(
  { path }: RandomAccessSource,
  expected: string,
  found: string,
  code: 'ERR_CRC' | 'ERR_LAYOUT' = 'ERR_LAYOUT',
): CorruptFileError {
  return new CorruptFileError(code, { path, region: 'archive', byteOffset: 0, expected, found });
}
