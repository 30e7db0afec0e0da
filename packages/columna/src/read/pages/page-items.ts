// The wanted rows of one column of one page, as items or texts in the order of the rows, and
// which of them are null.
import type { FixedArray } from '@colkit/io';
import { arrayOver } from '../../layout/column-type.ts';
import type { ColumnPage } from './column-page.ts';
import { collectorOf } from './collector.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';

export interface PageItems {
  readonly count: number;
  /** Of fixed-width columns; zeros where a row is null. */
  readonly items: FixedArray | null;
  readonly texts: readonly (string | Uint8Array)[] | null;
  readonly validity: Uint8Array | null;
}

/** New memory: pages are small. */
export function pageItems(page: ColumnPage, span: Span, session: Session): PageItems {
  const count = spanCount(span);
  const { type } = page;
  const bytes = type.itemBytes === 0 ? null : new Uint8Array(count * type.itemBytes);
  const collector = collectorOf(
    type,
    'values',
    session,
    bytes === null ? null : { bytes, byteOffset: 0, byteStride: type.itemBytes },
    count,
  );
  collector.add(page, { ...span, to: 0, positions: null });
  const data = collector.finish();
  return {
    count,
    items: bytes === null ? null : arrayOver(type, bytes.buffer, 0, count),
    texts: data.kind === 'values' ? data.values : null,
    validity: data.validity,
  };
}
