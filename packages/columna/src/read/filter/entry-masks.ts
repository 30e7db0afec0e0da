// A leaf and the entries of a dictionary -> for which of them it is true: once for all pages of a chunk.
import type { ColumnLeaf } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import type { Strings, Vector } from '../../columns/vector.ts';
import type { ComparingLeaf } from './intervals.ts';
import { maskStrings } from './mask-strings.ts';
import type { StringLeaf } from './mask-strings.ts';
import { marksOf } from './mask-vector.ts';

interface Memo {
  readonly entries: object;
  readonly mask: Uint8Array;
}

export class EntryMasks {
  /** Of the last dictionary that a leaf was asked about. */
  readonly #memos = new Map<ColumnLeaf, Memo>();
  /** Of the codes of the last joint dictionary. */
  readonly #ofCodes = new Map<ColumnLeaf, Memo>();

  /** One byte an entry. Not to be written to. */
  of(leaf: StringLeaf, entries: Vector | Strings, type: ColumnType): Uint8Array {
    const memo = this.#memos.get(leaf);
    if (memo?.entries === entries) return memo.mask;
    const mask = maskOf(leaf, entries, type);
    this.#memos.set(leaf, { entries, mask });
    return mask;
  }

  /**
   * One byte for each code of a joint dictionary, 0 for those that stand for null. Not to be written to.
   * @param indexes tells the entry of each code, -1 for null.
   */
  ofCodes(leaf: StringLeaf, entries: Vector | Strings, indexes: Int32Array, type: ColumnType): Uint8Array {
    const memo = this.#ofCodes.get(leaf);
    if (memo?.entries === indexes) return memo.mask;
    const ofEntries = this.of(leaf, entries, type);
    const mask = maskOfCodes(ofEntries, indexes);
    this.#ofCodes.set(leaf, { entries: indexes, mask });
    return mask;
  }
}

function maskOf(leaf: StringLeaf, entries: Vector | Strings, type: ColumnType): Uint8Array {
  if (entries.kind === 'strings') return maskStrings(leaf, entries);
  if (entries.kind === 'coded') {
    const distinct = maskStrings(leaf, entries.entries);
    return maskOfCodes(distinct, entries.codes);
  }
  const mask = new Uint8Array(entries.count);
  marksOf(leaf as ComparingLeaf, type)(entries, mask);
  return mask;
}

/** The byte of each code's entry; 0 for -1, which is null. */
export function maskOfCodes(ofEntries: Uint8Array, codes: Int32Array | Uint32Array): Uint8Array {
  const mask = new Uint8Array(codes.length);
  for (let i = 0; i < codes.length; i++) mask[i] = ofEntries[codes[i] as number] ?? 0;
  return mask;
}
