// A column and the form it is wanted in -> what takes its pages.
import { ArgumentError } from '@colkit/io';
import type { GatherOutput } from '@colkit/io';
import type { ReadRequest } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import type { DecodedBytes } from '../file/decoded-bytes.ts';
import { FixedCollector } from './fixed-collector.ts';
import type { Collector } from './fixed-collector.ts';
import type { Session } from '../file/session.ts';
import { CodeCollector } from './texts/code-collector.ts';
import { BinaryCollector, TextCollector } from './texts/string-collectors.ts';
import { Utf8Collector } from './texts/utf8-collector.ts';

/**
 * @param decoded what the read that the rows are for has decoded; null where the values are looked at and dropped.
 * @throws ArgumentError ERR_OUT_BUFFER for a fixed-width column without an output; LimitError.
 */
export function collectorOf(
  type: ColumnType,
  strings: ReadRequest['strings'],
  session: Session,
  output: GatherOutput | null,
  count: number,
  transferable = false,
  decoded: DecodedBytes | null = null,
): Collector {
  decoded?.addRows(type, count);
  if (type.isText) {
    if (strings === 'dictionary') return new CodeCollector(count, transferable, decoded);
    return strings === 'utf8' ? new Utf8Collector(count, transferable, decoded) : new TextCollector(count, decoded);
  }
  if (type.itemBytes === 0) return new BinaryCollector(count, decoded);
  if (output === null)
    throw new ArgumentError(
      'ERR_OUT_BUFFER',
      'outputs',
      `a buffer for a column of ${type.dtype}, which has a fixed width`,
      'null',
    );
  return new FixedCollector(type, session, output, count);
}
