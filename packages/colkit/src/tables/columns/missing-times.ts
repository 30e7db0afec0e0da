// Times that may be null -> times that hold NaT instead: what a format without nulls has for them, and what its files
// become null by in every other form.
import { isTime, parseDType } from '@colkit/io';
import { NAT, editTable } from '@colkit/table';
import type { PlainValues, Table } from '@colkit/table';
import { READ_ONLY } from './read-only.ts';

export interface FilledTable {
  readonly table: Table;
  /** The columns of which a null became NaT, of the rows that were read so far. */
  filled(): readonly string[];
}

/** Reads nothing. */
export function missingTimes(table: Table): FilledTable {
  const filled = new Set<string>();
  let edited = editTable(table, READ_ONLY);
  for (const { name, dtype, nullable } of table.schema) {
    if (!nullable || !isTime(parseDType(dtype))) continue;
    const fill = (ticks: ArrayLike<bigint | null>): PlainValues =>
      Array.from(ticks, (tick) => {
        if (tick === null) filled.add(name);
        return tick ?? NAT;
      });
    edited = edited.apply(name, [name], fill, { dtype });
  }
  return { table: edited.table, filled: () => [...filled] };
}
