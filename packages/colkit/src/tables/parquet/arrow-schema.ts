// Columns of a Parquet file -> what Arrow's readers look for under the key ARROW:schema in its metadata: the schema as
// an IPC message, in base64. By it they know durations, which Parquet stores as INT64 without a word.
import { dtypeFacts, isBool, isFloat, isMoment, isTime, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { flatBytes } from './flat-bytes.ts';
import type { FlatNumber, FlatObject } from './flat-bytes.ts';

export interface ArrowField {
  readonly name: string;
  /** As the values are stored: moments and durations in a unit that Arrow has. */
  readonly dtype: DType;
  readonly nullable: boolean;
}

export const ARROW_SCHEMA_KEY = 'ARROW:schema';

const VERSION_5 = 4;
const OF_SCHEMA = 1;
const UNITS = ['s', 'ms', 'us', 'ns'];
/** In front of a message: a mark, and its length. */
const MARK = 0xffff_ffff;
const HEAD_BYTES = 8;

/** The value for `ARROW_SCHEMA_KEY`. */
export function arrowSchemaText(fields: readonly ArrowField[]): string {
  const schema = table(short(0), { kind: 'list', items: fields.map(fieldOf) });
  const bytes = flatBytes(table(short(VERSION_5), byte(OF_SCHEMA), schema));
  const length = Math.ceil(bytes.length / 8) * 8;
  const message = new Uint8Array(HEAD_BYTES + length);
  const view = new DataView(message.buffer);
  view.setUint32(0, MARK, true);
  view.setUint32(4, length, true);
  message.set(bytes, HEAD_BYTES);
  let text = '';
  for (const each of message) text += String.fromCharCode(each);
  return btoa(text);
}

function fieldOf({ name, dtype, nullable }: ArrowField): FlatObject {
  const [number, type] = typeOf(dtype);
  return table({ kind: 'text', text: name }, byte(nullable ? 1 : 0), byte(number), type, null, {
    kind: 'list',
    items: [],
  });
}

/** The number of the type among Arrow's, and its parameters. */
function typeOf(dtype: DType): readonly [number: number, type: FlatObject] {
  const info = parseDType(dtype);
  if (isBool(info)) return [6, table()];
  if (isTime(info)) {
    if (info.unit === 'D') return [8, table(short(0))];
    return [isMoment(info) ? 10 : 18, table(short(UNITS.indexOf(info.unit ?? '')))];
  }
  // Halves are stored as FLOAT.
  if (isFloat(info)) return [3, table(short(info.itemBytes === 8 ? 2 : 1))];
  switch (dtypeFacts(info).domain) {
    case 'bytes':
      return [4, table()];
    case 'text':
      return [5, table()];
    default:
      return [2, table(int(8 * info.itemBytes), byte(dtypeFacts(info).isUnsigned ? 0 : 1))];
  }
}

const table = (...fields: readonly (FlatNumber | FlatObject | null)[]): FlatObject => ({ kind: 'table', fields });
const byte = (value: number): FlatNumber => ({ kind: 'number', bytes: 1, value });
const short = (value: number): FlatNumber => ({ kind: 'number', bytes: 2, value });
const int = (value: number): FlatNumber => ({ kind: 'number', bytes: 4, value });
