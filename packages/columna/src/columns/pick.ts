// Values of a vector by position: what RLE and DICTIONARY expand with. And patches or quotients made into plain
// patterns, where positions change their meaning.
import { assertNever } from '@colkit/io';
import type { Domain } from '../layout/column-type.ts';
import { decimalQuotient } from './decimal.ts';
import type { Scratch } from './scratch.ts';
import { wordAt, writeWords } from './vector.ts';
import type { Decimal, Integers, Vector, Wide } from './vector.ts';

/** vector[positions[i]] for every i. Positions are below the vector's count. Scratch memory. */
export function pickVector(vector: Vector, positions: Uint32Array, domain: Domain, scratch: Scratch): Vector {
  const count = positions.length;
  switch (vector.kind) {
    case 'narrow': {
      const values = scratch.uint32(count);
      const from = vector.values;
      for (let i = 0; i < count; i++) values[i] = from[positions[i] as number] as number;
      return { ...vector, count, values };
    }
    case 'safe': {
      const values = scratch.float64(count);
      const from = vector.values;
      for (let i = 0; i < count; i++) values[i] = from[positions[i] as number] as number;
      return { kind: 'safe', count, values };
    }
    case 'wide': {
      const words = scratch.uint32(2 * count);
      const from = vector.words;
      for (let i = 0; i < count; i++) {
        const at = 2 * (positions[i] as number);
        words[2 * i] = from[at] as number;
        words[2 * i + 1] = from[at + 1] as number;
      }
      return { kind: 'wide', count, words };
    }
    case 'decimal': {
      const integers = pickVector(vector.integers, positions, domain, scratch);
      // Narrow stays narrow and safe stays safe.
      return integers.kind === 'narrow' || integers.kind === 'safe'
        ? { kind: 'decimal', count, exponent: vector.exponent, integers }
        : integers;
    }
    case 'patched':
      return pickVector(toPatterns(vector, domain, scratch), positions, domain, scratch);
    default:
      return assertNever(vector);
  }
}

/** The bit patterns of any vector. Integers as they are; scratch memory otherwise. */
export function toPatterns(vector: Vector, domain: Domain, scratch: Scratch): Integers {
  if (vector.kind !== 'decimal' && vector.kind !== 'patched') return vector;
  const words = scratch.uint32(2 * vector.count);
  writePatterns(vector, domain, words);
  return { kind: 'wide', count: vector.count, words } satisfies Wide;
}

function writePatterns(vector: Vector, domain: Domain, words: Uint32Array): void {
  if (vector.kind === 'decimal') {
    writeQuotients(vector, domain, words);
  } else if (vector.kind === 'patched') {
    writePatterns(vector.values, domain, words);
    for (let i = 0; i < vector.positions.length; i++) {
      const at = 2 * (vector.positions[i] as number);
      words[at] = vector.replacements.words[2 * i] as number;
      words[at + 1] = vector.replacements.words[2 * i + 1] as number;
    }
  } else {
    writeWords(vector, words, 0);
  }
}

function writeQuotients(vector: Decimal, domain: Domain, words: Uint32Array): void {
  const view = new DataView(words.buffer, words.byteOffset, words.byteLength);
  for (let i = 0; i < vector.count; i++) {
    const quotient = decimalQuotient(Number(BigInt.asIntN(64, wordAt(vector.integers, i))), vector.exponent);
    if (domain === 'float32') {
      view.setFloat32(8 * i, quotient, true);
      words[2 * i + 1] = 0;
    } else {
      view.setFloat64(8 * i, quotient, true);
    }
  }
}
