// Backwards through a file that does not end in a trailer -> the last footer in it that is whole: what recovery would
// keep. Bytes made up to look like footers cost no more than twice the file: every one that has to be looked into is
// charged, and who has used that up is refused.
import { checkLimit, isColkitError } from '@colkit/io';
import type { Limits, RandomAccessSource } from '@colkit/io';
import { readBytes, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { FIRST_ROW_GROUP_OFFSET, FOOTER_TAIL_BYTES, TRAILER_BYTES } from '../../layout/constants.ts';
import { checkColumnBlock, parseFooterCore, parseFooterTail } from '../../layout/footer.ts';
import type { Footer, FooterTail } from '../../layout/footer.ts';

export interface FoundFooter {
  readonly footer: Footer;
  /** Where its trailer ends: the length of the file when it was written. */
  readonly end: number;
}

type FooterLimits = Pick<Limits, 'maxColumns' | 'maxRecords' | 'maxMetadataBytes'>;

/** Bytes that are searched at a time. */
const BLOCK_BYTES = 1 << 20;
const ENDING_BYTES = FOOTER_TAIL_BYTES + TRAILER_BYTES;
/** Of `footer_offset` in a tail. */
const FOOTER_OFFSET_AT = 24;
/**
 * What looking into a footer costs at least: less than the smallest one has, with the pages before it, so that no file
 * of whole but damaged footers is refused.
 */
const LEAST_COST = 256;
/** Times the bytes of the file. Footers do not overlap, so that all those which somebody wrote cost less. */
const MOST_COST = 2;
/** A file of nothing but a footer has it too. */
const SPARE_COST = 4096;

/** Bytes of what looks like a footer, in all of a search. */
export class SearchBudget {
  readonly #path: string;
  readonly #most: number;
  spent = 0;

  constructor(path: string, byteLength: number) {
    this.#path = path;
    this.#most = MOST_COST * byteLength + SPARE_COST;
  }

  /** @throws LimitError. */
  spend(bytes: number): void {
    this.spent += bytes;
    checkLimit(`${this.#path}: bytes of what looks like footers and is none`, this.spent, this.#most);
  }
}

/**
 * Null where there is none. Reads the file from its end on until one is found: at worst all of it, and as much again
 * twice for what looks like footers.
 * @param blockBytes how many bytes are searched at a time; more than a tail and its trailer have.
 * @throws LimitError for a file that is full of bytes made up to look like footers.
 */
export function* findLastFooter(
  source: RandomAccessSource,
  limits: FooterLimits,
  budget = new SearchBudget(source.path, source.byteLength),
  blockBytes = BLOCK_BYTES,
): Work<FoundFooter | null> {
  for (let blockEnd = source.byteLength; ; ) {
    const start = Math.max(0, blockEnd - blockBytes);
    const block = yield* readBytes(source, start, blockEnd - start);
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    for (let at = lastMagicEnd(block, block.length); at >= ENDING_BYTES; at = lastMagicEnd(block, at - 1)) {
      const footerBytes = claimedBytes(view, at, start + at);
      const footer =
        footerBytes === null
          ? null
          : yield* footerBefore(source, start + at, footerBytes, block.subarray(at - ENDING_BYTES, at), limits, budget);
      if (footer !== null) return { footer, end: start + at };
    }
    if (start === 0) return null;
    yield TURN;
    // A tail and its trailer may lie across two blocks: what has no room for them here is looked at there.
    blockEnd = start + ENDING_BYTES - 1;
  }
}

/** Where the last "CNA1" before `from` ends; 0 where there is none. */
function lastMagicEnd(block: Uint8Array, from: number): number {
  for (let last = from - 1; last >= 3; last--) {
    if (block[last] === 0x31 && block[last - 1] === 0x41 && block[last - 2] === 0x4e && block[last - 3] === 0x43)
      return last + 1;
  }
  return 0;
}

/**
 * The length of the footer whose trailer ends at `at` in the view and at `end` in the file, if that fits and its tail
 * says the same. Looks at nothing else: this may be asked often.
 */
function claimedBytes(view: DataView, at: number, end: number): number | null {
  const footerBytes = view.getUint32(at - TRAILER_BYTES, true);
  const footerAt = end - TRAILER_BYTES - footerBytes;
  if (footerAt < FIRST_ROW_GROUP_OFFSET) return null;
  return Number(view.getBigUint64(at - ENDING_BYTES + FOOTER_OFFSET_AT, true)) === footerAt ? footerBytes : null;
}

/** The footer whose trailer ends at `end`, or null where it is not whole. */
function* footerBefore(
  source: RandomAccessSource,
  end: number,
  footerBytes: number,
  ending: Uint8Array,
  limits: FooterLimits,
  budget: SearchBudget,
): Work<Footer | null> {
  const { path } = source;
  const footerEnd = end - TRAILER_BYTES;
  const footerAt = footerEnd - footerBytes;
  try {
    const tail = parseFooterTail(ending, footerBytes, {
      path,
      region: 'footer tail',
      byteOffset: footerEnd - FOOTER_TAIL_BYTES,
    });
    if (!isWithin(tail, footerBytes, limits)) return null;
    budget.spend(Math.max(LEAST_COST, tail.coreBytes));
    const coreAt = footerEnd - tail.coreBytes;
    const footer = parseFooterCore(yield* readBytes(source, coreAt, tail.coreBytes), tail, footerBytes, {
      path,
      region: 'footer',
      byteOffset: coreAt,
    });
    // As many as the directory lists at most: no two columns share a block.
    budget.spend(coreAt - footerAt);
    const blocks = yield* readBytes(source, footerAt, coreAt - footerAt);
    for (const entry of footer.directory) {
      const start = entry.byteOffset - footerAt;
      checkColumnBlock(blocks.subarray(start, start + entry.byteLength), entry, {
        path,
        region: 'column block',
        byteOffset: entry.byteOffset,
      });
    }
    return footer;
  } catch (error) {
    // What does not parse was no footer. A read that fails is another matter, and so is the budget.
    if (isColkitError(error) && ['ERR_METADATA', 'ERR_CRC', 'ERR_VERSION', 'ERR_DTYPE'].includes(error.code))
      return null;
    throw error;
  }
}

function isWithin(
  { columnCount, rowGroupCount }: FooterTail,
  footerBytes: number,
  { maxColumns, maxRecords, maxMetadataBytes }: FooterLimits,
): boolean {
  return columnCount <= maxColumns && rowGroupCount <= maxRecords && footerBytes <= maxMetadataBytes;
}
