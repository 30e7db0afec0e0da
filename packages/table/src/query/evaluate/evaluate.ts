// One batch -> which of its rows match, as row numbers or as a mask; and a predicate -> its conjuncts, for those who
// read the columns of one only where the ones before left rows.
import { BatchSelector } from './batch-selector.ts';
import type { BoundPredicate } from '../bound-predicate.ts';
import { columnsOf } from '../columns-of.ts';
import type { PredicateBatch } from './predicate-batch.ts';

/**
 * The rows of the batch that match, ascending; of `rows` (ascending) where they are given. For many batches, a
 * `BatchSelector` reuses its buffers.
 */
export function selectBatch(predicate: BoundPredicate, batch: PredicateBatch, rows?: Int32Array): Int32Array {
  return new BatchSelector(predicate).select(batch, rows);
}

/** One byte a row: 1 where the row matches, 0 where it does not or where it is unknown. */
export function evaluateBatch(predicate: BoundPredicate, batch: PredicateBatch): Uint8Array {
  return new BatchSelector(predicate).mask(batch);
}

/**
 * The terms of the outermost `and`, each as a predicate of its own, cheap and selective ones first; the predicate
 * itself where it is none.
 */
export function conjuncts(predicate: BoundPredicate): readonly BoundPredicate[] {
  if (predicate.root.kind !== 'and') return [predicate];
  return predicate.root.terms.map((root) => {
    const refs = [...columnsOf(root)].sort((left, right) => left.number - right.number);
    return { columns: refs.map(({ number }) => number), refs, text: predicate.text, root };
  });
}
