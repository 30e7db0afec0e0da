// DECIMAL: floats that are integers divided by a power of ten, bit for bit. What is not is patched by the caller
// (PATCHED over DECIMAL).
import type { EncodingReader, EncodingWriter } from '../../encoding.ts';
import { unknownEncoding } from '../../node.ts';
import { MOST_EXACT } from '@colkit/io';
import { Encoding } from '../../../layout/constants.ts';
import { DECODING_RATES } from '../decoding-rates.ts';
import { MAX_EXPONENT, POWERS_OF_TEN, decimalQuotient } from '../../decimal.ts';
import { giveBack, lentDoubles } from '../../kernels/lent-words.ts';
import { foundAtMost, writeKernels } from '../../kernels/write-kernels.ts';
import { NodeReader, childBytes } from '../../node.ts';
import type { Decoder, Node, SizedNode } from '../../node.ts';
import { toPatterns } from '../../pick.ts';
import { safeLine, safeNumber, wordAt } from '../../vector.ts';
import type { Integers, Narrow, Safe, Vector } from '../../vector.ts';

/** More exceptions than this share, and the bits themselves are the better integers. */
const MOST_EXCEPTIONS = 1 / 8;
const SAMPLE = 256;

/**
 * Floats taken apart: integers for all of them (an exception takes its neighbour's, so that it widens nothing), and
 * where the exceptions are.
 */
interface DecimalSplit {
  readonly exponent: number;
  /** In lent memory. */
  readonly integers: Float64Array;
  readonly exceptions: Uint32Array;
}

/** Null where the values are no decimals. For float32, `values` are its values as doubles. */
export function splitDecimals(values: Float32Array | Float64Array): DecimalSplit | null {
  const isSingle = values instanceof Float32Array;
  const exponent = bestExponent(values, isSingle);
  if (exponent === null) return null;
  const { length } = values;
  const integers = lentDoubles(length);
  const power = POWERS_OF_TEN[exponent] as number;
  const kernels = writeKernels(length);
  if (kernels !== null) {
    const exceptions = foundAtMost(Math.floor(length * MOST_EXCEPTIONS), (room) =>
      kernels.splitDecimals(values, power, integers, room),
    );
    if (exceptions === null) {
      giveBack(integers);
      return null;
    }
    fillHead(integers, exceptions);
    return { exponent, integers, exceptions };
  }
  const exceptions: number[] = [];
  let last = 0;
  for (let i = 0; i < length; i++) {
    const value = values[i] as number;
    const integer = Math.round(value * power);
    if (gives(integer, exponent, value, isSingle)) {
      integers[i] = integer;
      last = integer;
      continue;
    }
    integers[i] = last;
    exceptions.push(i);
    if (exceptions.length > length * MOST_EXCEPTIONS) return null;
  }
  fillHead(integers, exceptions);
  return { exponent, integers, exceptions: Uint32Array.from(exceptions) };
}

/** Exceptions before the first decimal take that one's integer. */
function fillHead(integers: Float64Array, exceptions: ArrayLike<number>): void {
  let head = 0;
  while (exceptions[head] === head) head++;
  integers.fill(integers[head] ?? 0, 0, head);
}

/** Bits that one more digit costs every value, and that an exception costs: its pattern, its position. */
const DIGIT_BITS = Math.log2(10);
const EXCEPTION_BITS = 80;

/** The exponent of the fewest bits, judged by a sample; null where hardly any value is a decimal. */
function bestExponent(values: Float32Array | Float64Array, isSingle: boolean): number | null {
  const stride = Math.max(1, Math.floor(values.length / SAMPLE));
  const seen = Math.ceil(values.length / stride);
  let best: number | null = null;
  let fewest = Infinity;
  for (let exponent = 0; exponent <= MAX_EXPONENT; exponent++) {
    const power = POWERS_OF_TEN[exponent] as number;
    let hits = 0;
    for (let i = 0; i < values.length; i += stride) {
      const value = values[i] as number;
      if (gives(Math.round(value * power), exponent, value, isSingle)) hits++;
    }
    const bits = exponent * DIGIT_BITS * seen + (seen - hits) * EXCEPTION_BITS;
    if (hits > 0 && bits < fewest) [best, fewest] = [exponent, bits];
    if (hits === seen) break;
  }
  return best;
}

/** Whether the format's arithmetic gives exactly this float back: not for -0, NaN and infinities. */
function gives(integer: number, exponent: number, value: number, isSingle: boolean): boolean {
  if (!(Math.abs(integer) <= MOST_EXACT)) return false;
  const quotient = decimalQuotient(integer, exponent);
  // -0 divided stays -0, but the stored integer has no sign of zero.
  return (isSingle ? Math.fround(quotient) : quotient) === value && (value !== 0 || Object.is(value, 0));
}

export function size(exponent: number, integers: SizedNode, count: number): SizedNode {
  return {
    encoding: Encoding.DECIMAL,
    parameter: 0,
    byteLength: 8 + childBytes(integers),
    label: `DECIMAL(${integers.label})`,
    time: integers.time + count * DECODING_RATES.decimal,
    encode: (out) => {
      out.uint8(exponent);
      out.skip(7);
      out.child(integers);
    },
  };
}

function decodeRange(node: Node, start: number, end: number, decoder: Decoder): Vector {
  return decimals(node, end - start, decoder, (child) => decoder.integers(child, start, end));
}

/** The values at `rows` alone, in any order. */
function decodeRows(node: Node, rows: Uint32Array, decoder: Decoder): Vector {
  return decimals(node, rows.length, decoder, (child) =>
    toPatterns(decoder.pick(child, rows), child.domain, decoder.scratch),
  );
}

function decimals(node: Node, count: number, decoder: Decoder, integersOf: (child: Node) => Integers): Vector {
  if (node.domain !== 'float32' && node.domain !== 'float64') throw unknownEncoding(node, decoder.location);
  const reader = new NodeReader(decoder, node);
  const exponent = reader.uint8('an exponent');
  if (exponent > MAX_EXPONENT) throw reader.refuse(`an exponent of 0 to ${MAX_EXPONENT}`, exponent);
  reader.take(7, 'ignored bytes');
  const child = reader.child(node.count);
  reader.end();
  const integers = exact(integersOf(child), decoder);
  if (integers === null) throw reader.refuse('integers within 2^53', 'a larger one');
  return { kind: 'decimal', count, exponent, integers };
}

/** Integers as exact doubles, or null where one is beyond ±2^53. */
function exact(integers: Integers, decoder: Decoder): Narrow | Safe | null {
  if (integers.kind === 'safe') return integers;
  if (integers.kind === 'narrow' && safeLine(integers) !== null) return integers;
  const values = decoder.scratch.float64(integers.count);
  for (let i = 0; i < integers.count; i++) {
    const value = safeNumber(wordAt(integers, i));
    if (value === null) return null;
    values[i] = value;
  }
  return { kind: 'safe', count: integers.count, values };
}

export const decimal: EncodingReader = {
  name: 'DECIMAL',
  decode: decodeRange,
  pick: decodeRows,
};

export const decimalWriter: EncodingWriter = {
  label: (reader, child) => {
    reader.take(8, 'an exponent');
    return `DECIMAL(${child()})`;
  },
};
