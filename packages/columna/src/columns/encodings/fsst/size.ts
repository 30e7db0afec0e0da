// Byte strings -> an FSST node. What it takes is known when the strings are spelled, so sizing is all of the work.
import { Encoding } from '../../../layout/constants.ts';
import type { Chooser } from '../../chooser.ts';
import { childBytes } from '../../node.ts';
import type { SizedNode } from '../../node.ts';
import { narrowSource } from '../../source.ts';
import type { ByteStrings } from '../../vector.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { writeKernels } from '../../kernels/write-kernels.ts';
import { Matcher } from './matcher.ts';
import type { Symbols } from './matcher.ts';
import { MOST_SYMBOL_BYTES } from './symbol-table.ts';
import { trainSymbols } from './train.ts';

export { trainSymbols } from './train.ts';

const HEAD_BYTES = 16;

/** What strings take, about, by what some of them do. */
export function estimate(
  strings: ByteStrings,
  some: ByteStrings,
  symbols: Symbols,
): { byteLength: number; time: number } {
  const share = bytesOfAll(strings) / bytesOfAll(some);
  const codeBytes = spell(some, symbols).codes.length * share;
  return {
    byteLength: codeBytes + strings.count * CODE_LENGTH_BYTES,
    time: strings.count * DECODING_RATES.spelledString + codeBytes * DECODING_RATES.spelledCode,
  };
}

/** How many codes a string has takes so much, about. */
const CODE_LENGTH_BYTES = 0.75;

const bytesOfAll = ({ start, ends, count }: ByteStrings): number => (ends[count - 1] as number) - start;

/** All strings, of one byte and more together. */
export function size(strings: ByteStrings, chooser: Chooser, symbols = trainSymbols(strings)): SizedNode {
  const { count, start, ends } = strings;
  const { codes, codeCounts } = spell(strings, symbols);
  const lengths = new Uint32Array(count);
  for (let i = 0, from = start; i < count; i++) {
    lengths[i] = (ends[i] as number) - from;
    from = ends[i] as number;
  }
  const lengthsNode = chooser.integers(narrowSource(lengths), 'lengths');
  const codesNode = chooser.integers(narrowSource(codeCounts), 'lengths');
  const bytesOfSymbols = symbolBytes(symbols);
  const dataBytes = bytesOfAll(strings);
  return {
    encoding: Encoding.FSST,
    parameter: 0,
    byteLength:
      HEAD_BYTES +
      childBytes(lengthsNode) +
      childBytes(codesNode) +
      symbols.count +
      bytesOfSymbols.length +
      codes.length,
    label: 'FSST',
    time:
      lengthsNode.time +
      codesNode.time +
      count * DECODING_RATES.spelledString +
      codes.length * DECODING_RATES.spelledCode,
    isCompressed: true,
    encode: (out) => {
      out.uint32(dataBytes);
      out.uint32(codes.length);
      out.uint8(symbols.count);
      out.skip(HEAD_BYTES - 9);
      out.child(lengthsNode);
      out.child(codesNode);
      out.raw(symbols.lengths);
      out.raw(bytesOfSymbols);
      out.raw(codes);
    },
  };
}

/** Symbols back to back. */
function symbolBytes({ count, low, high, lengths }: Symbols): Uint8Array {
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  for (let symbol = 0, at = 0; symbol < count; symbol++) {
    for (let byte = 0; byte < (lengths[symbol] as number); byte++)
      bytes[at++] = ((byte < 4 ? low : high)[symbol] as number) >>> (8 * (byte & 3));
  }
  return bytes;
}

/** The codes of all strings, and how many each string has. */
function spell(
  { bytes, start, ends, count }: ByteStrings,
  symbols: Symbols,
): { readonly codes: Uint8Array; readonly codeCounts: Uint32Array } {
  const dataBytes = (ends[count - 1] as number) - start;
  const codes = new Uint8Array(2 * dataBytes);
  const codeCounts = new Uint32Array(count);
  const kernels = writeKernels(dataBytes);
  if (kernels !== null) {
    const halves = new Uint32Array(2 * symbols.count);
    for (let symbol = 0; symbol < symbols.count; symbol++) {
      halves[2 * symbol] = symbols.low[symbol] as number;
      halves[2 * symbol + 1] = symbols.high[symbol] as number;
    }
    const own = ends.subarray(0, count);
    const used = kernels.spellTexts(bytes, start, own, halves, symbols.lengths, codes, codeCounts);
    return { codes: codes.slice(0, used), codeCounts };
  }
  // Symbols are looked for in eight bytes, also at the end.
  const padded = new Uint8Array(dataBytes + MOST_SYMBOL_BYTES);
  padded.set(bytes.subarray(start, start + dataBytes));
  const own = start === 0 ? ends.subarray(0, count) : ends.subarray(0, count).map((end) => end - start);
  const used = new Matcher(symbols).spell(new DataView(padded.buffer), own, codes, codeCounts);
  return { codes: codes.slice(0, used), codeCounts };
}
