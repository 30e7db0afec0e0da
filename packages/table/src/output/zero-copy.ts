// A view -> typed arrays over the file's own pages, or the reason why that cannot be and what to call instead. All
// columns or none.
import { CannotViewError, typedArrayOver } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import type { View } from '../views/view.ts';
import { requireOpen } from './require-open.ts';

/**
 * @throws ClosedError; CannotViewError ERR_NOT_CONTIGUOUS, ERR_HAS_NULLS, ERR_NOT_VIEWABLE, ERR_NOT_MAPPED,
 * ERR_MISALIGNED, ERR_VIEW_TOO_LARGE.
 */
export function viewBytes(
  { source, projection, rows, pending }: View,
  operation: string,
  remedy: string,
): readonly FixedArray[] {
  requireOpen(source, operation);
  if (pending.length > 0) {
    const reason = 'the rows are picked by a predicate, an order or distinct values';
    throw new CannotViewError('ERR_NOT_CONTIGUOUS', reason, `use ${remedy} to copy them`);
  }
  if (rows.kind !== 'range' || rows.step !== 1) {
    const reason =
      rows.kind === 'range'
        ? `the rows have a step of ${String(rows.step)}`
        : 'the rows were picked by index or mask, or lie apart';
    throw new CannotViewError('ERR_NOT_CONTIGUOUS', reason, `use ${remedy} to copy them`);
  }
  const { start, count } = rows;
  return projection.columns.map(({ field, info, number }) => {
    const name = JSON.stringify(field.name);
    if (info.itemBytes === 0)
      throw new CannotViewError(
        'ERR_NOT_VIEWABLE',
        `column ${name} is ${field.dtype}, whose values have no fixed width`,
        `use ${remedy}`,
      );
    if (field.nullable)
      throw new CannotViewError(
        'ERR_HAS_NULLS',
        `column ${name} may hold nulls`,
        `use ${remedy}, with { nulls: 'bitmap' } for a typed array and its validity`,
      );
    const bytes = count === 0 ? new Uint8Array(0) : source.viewColumn(number, start, count);
    return typedArrayOver(info, bytes);
  });
}
