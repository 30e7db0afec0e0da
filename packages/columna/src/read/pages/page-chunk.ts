// The wanted rows of one column of one page, in the order of the rows.
import type { Chunk, ReadRequest } from '@colkit/table';
import type { ColumnPage } from './opened-page.ts';
import { collectorOf } from './collector.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';

/** New memory: pages are small. */
export function pageChunk(
  page: ColumnPage,
  span: Span,
  session: Session,
  strings: ReadRequest['strings'] = 'values',
): Chunk {
  const count = spanCount(span);
  const { itemBytes } = page.type;
  const output =
    itemBytes === 0 ? null : { bytes: new Uint8Array(count * itemBytes), byteOffset: 0, byteStride: itemBytes };
  const collector = collectorOf(page.type, strings, session, output, count);
  collector.add(page, { ...span, to: 0, positions: null });
  return collector.finish();
}
