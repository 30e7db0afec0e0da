// Where a block of rows can end, seen from its end: what comes behind can then be looked at before this block is. A
// good guess is all that is asked for: whoever parses the block tells whether it holds.

const LF = 10;

/**
 * The offset behind the last line break that an even number of quotes precedes; 0: there is none. `quote` -1: there are
 * none.
 */
export function lastRowEnd(bytes: Uint8Array, quote: number): number {
  const firstQuote = quote === -1 ? -1 : bytes.indexOf(quote);
  let before = firstQuote === -1 ? 0 : countOf(bytes, quote, firstQuote, bytes.length);
  let end = bytes.length;
  for (;;) {
    const lineFeed = end === 0 ? -1 : bytes.lastIndexOf(LF, end - 1);
    if (lineFeed === -1) return 0;
    if (firstQuote !== -1) before -= countOf(bytes, quote, lineFeed + 1, end);
    if ((before & 1) === 0) return lineFeed + 1;
    end = lineFeed;
  }
}

function countOf(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let count = 0;
  for (let position = start; position < end; position += 1) if (bytes[position] === byte) count += 1;
  return count;
}
