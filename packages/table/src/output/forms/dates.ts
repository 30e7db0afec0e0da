// Ticks of a column -> Dates.
import { ArgumentError } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { arrayFor } from '../../array-for.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';
import { isValid } from '../../validity.ts';
import { NAT } from '../../values/nat.ts';
import { datesOfTicks } from '../../values/time.ts';
import type { ColumnForm } from './column-form.ts';

/** What a null row holds is no moment that must fit a Date. */
export function* toDates(
  { field, info, values }: ColumnForm,
  ticks: FixedArray,
  count: number,
  validity: Uint8Array | null,
): Work<Date[]> {
  const out = arrayFor<Date>(count);
  const truncate = values === 'dates-lossy';
  const dateOf = datesOfTicks(info.name, { truncate });
  let row = 0;
  try {
    for (; row < count; row += 1) {
      if (row % PIECE_ROWS === 0) yield TURN;
      out[row] = dateOf(isValid(validity, row) ? (ticks[row] as bigint) : NAT);
    }
  } catch (error) {
    throw error instanceof ArgumentError ? noDate(error, field.name, row, truncate) : error;
  }
  return out;
}

function noDate({ code, found }: ArgumentError, column: string, row: number, truncate: boolean): ArgumentError {
  const remedy = truncate ? '' : " (dates: 'date-lossy' drops what is finer than a millisecond)";
  return new ArgumentError(
    code === 'ERR_VALUE' ? code : 'ERR_ARGUMENT',
    `column ${JSON.stringify(column)}`,
    `moments that a Date can hold${remedy}`,
    `${found} at row ${String(row)}`,
  );
}
