// Backwards through a file that does not end in a trailer -> the last footer in it that is whole: what recovery would keep.
import { isColkitError } from '@colkit/io';
import type { Limits } from '@colkit/io';
import { FOOTER_TAIL_BYTES, SMALLEST_FILE_BYTES, TRAILER_BYTES } from '../layout/constants.ts';
import { checkColumnBlock, parseFooterCore, parseFooterTail, parseTrailer } from '../layout/footer.ts';
import type { Footer } from '../layout/footer.ts';
import { fetchRange } from './steps.ts';
import type { Steps } from './steps.ts';

export interface FoundFooter {
  readonly footer: Footer;
  /** Where its trailer ends: the length of the file when it was written. */
  readonly end: number;
}

/** Bytes that are searched at a time. */
const BLOCK_BYTES = 1 << 20;
const LAST_BYTE = 0x31; // "1" of "CNA1"

/** Null where there is none. Reads the file from its end on until one is found: at worst all of it. */
export function* findLastFooter(path: string, byteLength: number, limits: Pick<Limits, 'maxColumns' | 'maxRecords' | 'maxMetadataBytes'>): Steps<FoundFooter | null> {
  for (let blockEnd = byteLength; blockEnd >= SMALLEST_FILE_BYTES; ) {
    const start = Math.max(0, blockEnd - BLOCK_BYTES);
    const block = yield* fetchRange(start, blockEnd - start);
    for (let at = block.lastIndexOf(LAST_BYTE); at >= TRAILER_BYTES - 1; at = at === 0 ? -1 : block.lastIndexOf(LAST_BYTE, at - 1)) {
      const end = start + at + 1;
      const footerBytes = parseTrailer(block.subarray(at + 1 - TRAILER_BYTES, at + 1), end);
      const footer = footerBytes === null ? null : yield* footerBefore(path, end, footerBytes, limits);
      if (footer !== null) return { footer, end };
    }
    yield null;
    if (start === 0) break;
    // A trailer may lie across two blocks.
    blockEnd = start + TRAILER_BYTES - 1;
  }
  return null;
}

/** The footer whose trailer ends at `end`, or null where it is not whole. */
function* footerBefore(path: string, end: number, footerBytes: number, limits: Pick<Limits, 'maxColumns' | 'maxRecords' | 'maxMetadataBytes'>): Steps<Footer | null> {
  const footerAt = end - TRAILER_BYTES - footerBytes;
  try {
    const tail = yield* fetchRange(end - TRAILER_BYTES - FOOTER_TAIL_BYTES, FOOTER_TAIL_BYTES);
    const parsed = parseFooterTail(tail, footerBytes, { path, region: 'footer tail', byteOffset: end - TRAILER_BYTES - FOOTER_TAIL_BYTES });
    if (parsed.columnCount > limits.maxColumns || parsed.rowGroupCount > limits.maxRecords || footerBytes > limits.maxMetadataBytes) return null;
    const bytes = yield* fetchRange(footerAt, footerBytes);
    const footer = parseFooterCore(bytes.subarray(footerBytes - parsed.coreBytes), parsed, footerBytes, { path, region: 'footer', byteOffset: footerAt + footerBytes - parsed.coreBytes });
    for (const entry of footer.directory) {
      const start = entry.byteOffset - footerAt;
      checkColumnBlock(bytes.subarray(start, start + entry.byteLength), entry, { path, region: 'column block', byteOffset: entry.byteOffset });
    }
    return footer;
  } catch (error) {
    // What does not parse was no footer. A read that fails is another matter.
    if (isColkitError(error) && ['ERR_METADATA', 'ERR_CRC', 'ERR_VERSION', 'ERR_DTYPE'].includes(error.code)) return null;
    throw error;
  }
}
