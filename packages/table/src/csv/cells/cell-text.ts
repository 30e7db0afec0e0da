// One cell -> its text, quotes that were doubled made one.
import { ESCAPED } from '../../text-input/cells/cell-flags.ts';

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** Cells of a block, by number. */
interface CellBounds {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
}

/** @param quote the character that stands around cells. */
export function cellText(bytes: Uint8Array, { starts, ends, flags }: CellBounds, quote: string, cell: number): string {
  // A copy: some decoders refuse shared memory.
  const text = DECODER.decode(bytes.slice(starts[cell], ends[cell]));
  return flags[cell] === ESCAPED ? text.replaceAll(quote + quote, quote) : text;
}
