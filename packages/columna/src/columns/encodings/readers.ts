// The reading half of all encodings, one line each.
import { ENCODING_NAMES } from '../../layout/constants.ts';
import type { EncodingName } from '../../layout/constants.ts';
import type { EncodingReader } from '../encoding.ts';
import { affine } from './affine/index.ts';
import { bitPack } from './bit-pack/index.ts';
import { bits } from './bits/index.ts';
import { blocks } from './blocks/index.ts';
import { codes } from './codes/index.ts';
import { decimal } from './decimal/index.ts';
import { delta } from './delta/index.ts';
import { dictionary } from './dictionary/index.ts';
import { entropy } from './entropy/index.ts';
import { matches } from './matches/index.ts';
import { onpair } from './onpair/index.ts';
import { patched } from './patched/index.ts';
import { plain } from './plain/index.ts';
import { runLength } from './run-length/index.ts';

const READERS: Readonly<Record<EncodingName, EncodingReader>> = {
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
  BLOCKS: blocks,
  ONPAIR: onpair,
  MATCHES: matches,
};

/** By id. */
const BY_ID: readonly EncodingReader[] = ENCODING_NAMES.map((name) => READERS[name]);

/** Undefined for an id that this version does not know. */
export function encodingOf(id: number): EncodingReader | undefined {
  return BY_ID[id];
}
