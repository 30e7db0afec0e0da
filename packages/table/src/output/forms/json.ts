// Values of a column -> values that JSON has: it knows no 64-bit integers, no moments, no bytes and no NaN.
import { isMoment, isTime } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { toBase64 } from '../../values/base64.ts';
import { endInUTC, isoTexts } from '../../values/iso-texts.ts';
import { NAT } from '../../values/nat.ts';
import { cellsOf } from './cells.ts';
import type { AnyColumn, Cell } from './convert.ts';

/** What `json: true` gives for one value; see `JsonOptions`. */
export type JsonCell = boolean | number | string | null;

type AbsentAs = 'text' | 'null';

/** A column that was read with the default forms, as values of JSON. */
export function jsonCells(info: DTypeInfo, column: AnyColumn, count: number, nan: AbsentAs): JsonCell[] {
  const cells = cellsOf(info, column, count);
  const valueOf = jsonCellOf(info, nan);
  const values = new Array<JsonCell>(cells.length);
  for (let row = 0; row < cells.length; row++) values[row] = valueOf(cells[row] as Cell);
  return values;
}

/** What a value of a dtype, in its default form, is in JSON. */
export function jsonCellOf(info: DTypeInfo, nan: AbsentAs): (value: Cell) => JsonCell {
  if (!isTime(info)) {
    const texts = new Base64Texts();
    return (value) => (value instanceof Uint8Array ? texts.of(value) : jsonValue(value, nan));
  }
  const textOf = isMoment(info) ? isoTexts(info.name, endInUTC(info)) : null;
  return (value) => {
    if (value === NAT) return absent('NaT', nan);
    return typeof value === 'bigint' && textOf !== null ? textOf(value) : jsonValue(value, nan);
  };
}

function absent(name: string, nan: AbsentAs): string | null {
  return nan === 'null' ? null : name;
}

function jsonValue(value: Cell, nan: AbsentAs): JsonCell {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'number':
      if (Number.isFinite(value)) return value;
      return Number.isNaN(value) ? absent('NaN', nan) : String(value);
    case 'object':
      return value instanceof Date ? value.toISOString() : null;
    default:
      return value;
  }
}

/** Rows that share their bytes share the text. */
class Base64Texts {
  readonly #known = new Map<Uint8Array, string>();

  of(bytes: Uint8Array): string {
    let text = this.#known.get(bytes);
    if (text === undefined) this.#known.set(bytes, (text = toBase64(bytes)));
    return text;
  }
}
