// The same name as in dating.ts; what knows the calendar is loaded with the first Dates.
import type { FixedArray } from '@colkit/io';
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ColumnForm } from './column-form.ts';

const part = new LazyPart(() => import('./dates.ts'));

/** What a null row holds is no moment that must fit a Date. */
export function* datesOf(
  form: ColumnForm,
  ticks: FixedArray,
  count: number,
  validity: Uint8Array | null,
): Work<Date[]> {
  return yield* (yield* part.use()).toDates(form, ticks, count, validity);
}
