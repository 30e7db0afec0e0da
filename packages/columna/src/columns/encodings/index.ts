// All encodings with both halves, one line each. Their order is that in which the writer sizes them: flat ones first,
// since what comes later is compared with them.
import type { EncodingSlice } from '../encoding.ts';
import { affine, affineWriter } from './affine/index.ts';
import { bitPack, bitPackWriter } from './bit-pack/index.ts';
import { bits, bitsWriter } from './bits/index.ts';
import { blocks, blocksWriter } from './blocks/index.ts';
import { codes, codesWriter } from './codes/index.ts';
import { decimal, decimalWriter } from './decimal/index.ts';
import { delta, deltaWriter } from './delta/index.ts';
import { dictionary, dictionaryWriter } from './dictionary/index.ts';
import { entropy, entropyWriter } from './entropy/index.ts';
import { front, frontWriter } from './front/index.ts';
import { matches, matchesWriter } from './matches/index.ts';
import { onpair, onpairWriter } from './onpair/index.ts';
import { patched, patchedWriter } from './patched/index.ts';
import { plain, plainWriter } from './plain/index.ts';
import { runLength, runLengthWriter } from './run-length/index.ts';

/** In the order of sizing. */
export const ENCODINGS: readonly EncodingSlice[] = [
  { ...plain, ...plainWriter },
  { ...affine, ...affineWriter },
  { ...bitPack, ...bitPackWriter },
  { ...runLength, ...runLengthWriter },
  { ...delta, ...deltaWriter },
  { ...dictionary, ...dictionaryWriter },
  { ...patched, ...patchedWriter },
  { ...entropy, ...entropyWriter },
  { ...decimal, ...decimalWriter },
  { ...bits, ...bitsWriter },
  { ...codes, ...codesWriter },
  { ...blocks, ...blocksWriter },
  { ...onpair, ...onpairWriter },
  { ...matches, ...matchesWriter },
  { ...front, ...frontWriter },
];

const BY_NAME = new Map<string, EncodingSlice>(ENCODINGS.map((slice) => [slice.name, slice]));

/** Undefined for a name that this version does not know. */
export function sliceOf(name: string): EncodingSlice | undefined {
  return BY_NAME.get(name);
}
