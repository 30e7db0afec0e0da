// A column of a schema, as a source and a check of types know it.
import type { DType } from '@colkit/io';

/** A column's name and type. Names are any text; order comes from the schema's array. */
export interface Field {
  readonly name: string;
  readonly dtype: DType;
  /** Whether a value may be null. */
  readonly nullable: boolean;
}

/** The name of a column without one: its index, with zeros before it where there are more than ten columns. */
export function numberedName(index: number, count: number): string {
  return `column${String(index).padStart(String(Math.max(0, count - 1)).length, '0')}`;
}
