// The reading half of all encodings, one line each.
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
import { front } from './front/index.ts';
import { matches } from './matches/index.ts';
import { onpair } from './onpair/index.ts';
import { patched } from './patched/index.ts';
import { plain } from './plain/index.ts';
import { runLength } from './run-length/index.ts';

/** By id. */
const READERS: readonly EncodingReader[] = [
  plain,
  delta,
  dictionary,
  runLength,
  bitPack,
  decimal,
  affine,
  patched,
  entropy,
  bits,
  codes,
  blocks,
  onpair,
  matches,
  front,
];

/** Undefined for an id that this version does not know. */
export function encodingOf(id: number): EncodingReader | undefined {
  return READERS[id];
}
