// All encodings, one line each. Their order is that in which the writer sizes them: flat ones first, since what comes
// later is compared with them.
import { ENCODING_NAMES } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { EncodingSlice } from '../encoding.ts';
import { affine } from './affine/index.ts';
import { bitPack } from './bit-pack/index.ts';
import { bits } from './bits/index.ts';
import { codes } from './codes/index.ts';
import { decimal } from './decimal/index.ts';
import { delta } from './delta/index.ts';
import { dictionary } from './dictionary/index.ts';
import { entropy } from './entropy/index.ts';
import { patched } from './patched/index.ts';
import { plain } from './plain/index.ts';
import { runLength } from './run-length/index.ts';

const SLICES: Readonly<Record<EncodingName, EncodingSlice>> = {
  PLAIN: plain,
  AFFINE: affine,
  BITPACK: bitPack,
  RLE: runLength,
  DELTA: delta,
  DICTIONARY: dictionary,
  PATCHED: patched,
  ENTROPY: entropy,
  DECIMAL: decimal,
  BITS: bits,
  CODES: codes,
};

/** In the order of sizing. */
export const ENCODINGS: readonly EncodingSlice[] = Object.values(SLICES);

/** By id. */
const BY_ID: readonly EncodingSlice[] = ENCODING_NAMES.map((name) => SLICES[name]);

/** Undefined for an id that this version does not know. */
export function encodingOf(id: number): EncodingSlice | undefined {
  return BY_ID[id];
}
