// A whole file -> the same file with one byte changed and the CRCs made right again: what readers must refuse, or agree
// about, by what the bytes say.
import { crc32 } from '@colkit/io';
import type { createRandom } from '@colkit/testkit';
import { readTable } from './table.ts';

const PAGE_HEADER_BYTES = 28;
const TAIL_BYTES = 64;

export function withOneByteChanged(whole: Uint8Array, random: ReturnType<typeof createRandom>): Uint8Array {
  const bytes = whole.slice();
  if (random.integer(2) === 0) changePage(bytes, pagesOf(whole), random);
  else changeFooter(bytes, random);
  return bytes;
}

function change(bytes: Uint8Array, at: number, random: ReturnType<typeof createRandom>): void {
  const old = bytes[at]!;
  bytes[at] = [old ^ (1 << random.integer(8)), random.integer(256), old + 1, old - 1][random.integer(4)]!;
}

/** Where pages start, and bytes of their bodies. */
function pagesOf(bytes: Uint8Array): { readonly at: number; readonly storedBytes: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pages: { readonly at: number; readonly storedBytes: number }[] = [];
  for (const { byteOffset, byteLength } of readTable(bytes).chunks.flat()) {
    for (let at = byteOffset; at < byteOffset + byteLength; ) {
      const storedBytes = view.getUint32(at + 4, true);
      pages.push({ at, storedBytes });
      at += Math.ceil((PAGE_HEADER_BYTES + storedBytes) / 8) * 8;
    }
  }
  return pages;
}

function changePage(
  bytes: Uint8Array,
  pages: ReturnType<typeof pagesOf>,
  random: ReturnType<typeof createRandom>,
): void {
  const { at, storedBytes } = pages[random.integer(pages.length)]!;
  const inHeader = storedBytes === 0 || random.integer(5) === 0;
  // The beginning of a body says what the rest of it is.
  change(
    bytes,
    inHeader
      ? at + 4 + random.integer(PAGE_HEADER_BYTES - 4)
      : at + PAGE_HEADER_BYTES + random.integer(random.integer(3) === 0 ? storedBytes : Math.min(storedBytes, 64)),
    random,
  );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = at + PAGE_HEADER_BYTES + view.getUint32(at + 4, true);
  if (end <= bytes.length) view.setUint32(at, crc32(bytes.subarray(at + 4, end)), true);
}

function changeFooter(bytes: Uint8Array, random: ReturnType<typeof createRandom>): void {
  const { start, core, end } = footerOf(bytes);
  change(
    bytes,
    random.integer(2) === 0 ? start + random.integer(core - start) : core + random.integer(end - 4 - core),
    random,
  );
  sealFooter(bytes);
}

/** Where a footer and its core start, where its directory and tail lie, and where it ends. */
function footerOf(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - 8;
  const start = end - view.getUint32(end, true);
  const tail = end - TAIL_BYTES;
  const [columns, groups, schemaBytes] = [
    view.getUint32(tail + 4, true),
    view.getUint32(tail + 8, true),
    view.getUint32(tail + 12, true),
  ];
  const directory = tail - 16 * columns;
  return { view, start, end, tail, directory, core: directory - 16 * groups - Math.ceil(schemaBytes / 8) * 8 };
}

/** CRCs of the blocks and the core, as far as they lie where the footer says. */
function sealFooter(bytes: Uint8Array): void {
  const { view, start, end, tail, directory, core } = footerOf(bytes);
  if (directory < start || core < start) return;
  for (let entry = directory; entry < tail; entry += 16) {
    const [offset, length] = [view.getUint32(entry, true), view.getUint32(entry + 4, true)];
    if (offset + length <= end - start)
      view.setUint32(entry + 8, crc32(bytes.subarray(start + offset, start + offset + length)), true);
  }
  view.setUint32(end - 4, crc32(bytes.subarray(core, end - 4)), true);
}

/**
 * The file with byte `at` set to `value` and every CRC made right again; a byte of the trailer or of the core's own CRC
 * stays changed.
 */
export function withByte(whole: Uint8Array, at: number, value: number): Uint8Array {
  const bytes = whole.slice();
  bytes[at] = value;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const page = pagesOf(whole).findLast((each) => each.at <= at);
  const { start, end } = footerOf(whole);
  if (at >= start) {
    if (at < end - 4) sealFooter(bytes);
  } else if (page !== undefined) {
    const pageEnd = page.at + PAGE_HEADER_BYTES + view.getUint32(page.at + 4, true);
    if (pageEnd <= bytes.length) view.setUint32(page.at, crc32(bytes.subarray(page.at + 4, pageEnd)), true);
  }
  return bytes;
}
