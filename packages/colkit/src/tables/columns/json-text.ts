// A value of a column as a text of JSON, as `json: true` has it for rows.
import type { DTypeInfo } from '@colkit/io';
import { jsonCellOf } from '@colkit/table';

type Cell = Parameters<ReturnType<typeof jsonCellOf>>[0];

/** Of values that are not null, in their default form. */
export function jsonTextOf(info: DTypeInfo): (value: unknown) => string {
  const cellOf = jsonCellOf(info, 'text');
  return (value) => {
    const cell = cellOf(value as Cell);
    return Object.is(cell, -0) ? '-0' : JSON.stringify(cell);
  };
}

/** An object of members whose names, texts of JSON, may be other values than texts, and the same: entries of a map. */
export function jsonObject(members: readonly (readonly [name: string, value: string])[]): string {
  const texts = members.map(([name, value]) => `${name.startsWith('"') ? name : JSON.stringify(name)}:${value}`);
  return `{${texts.join(',')}}`;
}
