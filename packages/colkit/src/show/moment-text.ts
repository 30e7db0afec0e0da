// A moment in ticks -> ISO 8601 text, in JSON in UTC, as rows have it.
import { isMoment, isTime, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { NAT, toISO } from '@colkit/table';

/** Of a value of the type; what is no moment, and no span of time that is none, stays as it is. */
export function momentText(value: unknown, dtype: DType, isJson: boolean): unknown {
  const type = parseDType(dtype);
  if (typeof value !== 'bigint' || !isTime(type)) return value;
  if (value === NAT) return 'NaT';
  if (!isMoment(type)) return value;
  const text = toISO(value, dtype);
  // A day is UTC already to whoever reads it; an hour alone is no time to JavaScript's Date.
  const [, hour, rest] = /T(\d\d)(.*)$/su.exec(text) ?? [];
  return !isJson || hour === undefined ? text : `${text}${rest === '' ? ':00Z' : 'Z'}`;
}
