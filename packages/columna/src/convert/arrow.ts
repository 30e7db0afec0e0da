// columna/arrow: a .cna file or a lazy table -> an Arrow table in memory, through the optional peer apache-arrow.
import { checkOptions } from '@colkit/io';
import type { Openable } from '@colkit/io';
import type { ArrowTable } from '@colkit/table';
import type { AnyTable } from '../write/batch-input.ts';
import { FROM_TABLE_OPTIONS, withTable } from './opened-table.ts';
import type { FromTableOptions } from './opened-table.ts';

export type { ArrowTable } from '@colkit/table';
export type { FromTableOptions as ToArrowOptions } from './opened-table.ts';

/**
 * An Arrow table: datetimes become timestamps, NaT null. Copies; all of it is in memory. Give the type for the
 * compiler: `toArrow<import('apache-arrow').Table>(…)`.
 * @throws UnsupportedError ERR_FEATURE (apache-arrow is missing); as `open`; UnknownColumnError.
 */
export async function toArrow<A = ArrowTable>(source: Openable | AnyTable, options: FromTableOptions = {}): Promise<A> {
  checkOptions('toArrow', FROM_TABLE_OPTIONS, options);
  return withTable(source, options, (table) => table.toArrow<A>());
}
