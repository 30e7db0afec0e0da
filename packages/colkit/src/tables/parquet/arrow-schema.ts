// Columns of a Parquet file -> what Arrow's readers look for under the key ARROW:schema in its metadata: the schema as
// an IPC message, in base64. By it they know durations, which Parquet stores as INT64 without a word.
import { alignUp, dtypeFacts, isBool, isFloat, isMoment, isTime, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { toBase64 } from '@colkit/table';
import { Builder } from 'flatbuffers';

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

/** Numbers of the fields of Arrow's tables (Schema.fbs, Message.fbs), and how many fields each has. */
const SCHEMA = { fields: 1, count: 4 };
const MESSAGE = { version: 0, kind: 1, header: 2, count: 5 };
const FIELD = { name: 0, nullable: 1, kind: 2, type: 3, children: 5, count: 7 };

/** The value for `ARROW_SCHEMA_KEY`. */
export function arrowSchemaText(fields: readonly ArrowField[]): string {
  const builder = new Builder();
  // Some defaults are not 0.
  builder.forceDefaults(true);
  const list = listOf(
    builder,
    fields.map((field) => fieldOf(builder, field)),
  );
  builder.startObject(SCHEMA.count);
  builder.addFieldOffset(SCHEMA.fields, list, 0);
  const schema = builder.endObject();
  builder.startObject(MESSAGE.count);
  builder.addFieldInt16(MESSAGE.version, VERSION_5, 0);
  builder.addFieldInt8(MESSAGE.kind, OF_SCHEMA, 0);
  builder.addFieldOffset(MESSAGE.header, schema, 0);
  builder.finish(builder.endObject());
  const bytes = builder.asUint8Array();
  const length = alignUp(bytes.length, 8);
  const message = new Uint8Array(HEAD_BYTES + length);
  const view = new DataView(message.buffer);
  view.setUint32(0, MARK, true);
  view.setUint32(4, length, true);
  message.set(bytes, HEAD_BYTES);
  return toBase64(message);
}

function fieldOf(builder: Builder, { name, dtype, nullable }: ArrowField): number {
  const [kind, type] = typeOf(builder, dtype);
  const children = listOf(builder, []);
  const text = builder.createString(name);
  builder.startObject(FIELD.count);
  builder.addFieldOffset(FIELD.name, text, 0);
  builder.addFieldInt8(FIELD.nullable, nullable ? 1 : 0, 0);
  builder.addFieldInt8(FIELD.kind, kind, 0);
  builder.addFieldOffset(FIELD.type, type, 0);
  builder.addFieldOffset(FIELD.children, children, 0);
  return builder.endObject();
}

function listOf(builder: Builder, offsets: readonly number[]): number {
  builder.startVector(4, offsets.length, 4);
  for (const offset of [...offsets].reverse()) builder.addOffset(offset);
  return builder.endVector();
}

/** The number of the type among Arrow's, and its parameters. */
function typeOf(builder: Builder, dtype: DType): readonly [kind: number, type: number] {
  const info = parseDType(dtype);
  const bare = (): number => {
    builder.startObject(0);
    return builder.endObject();
  };
  const parameter = (value: number): number => {
    builder.startObject(2);
    builder.addFieldInt16(0, value, 0);
    return builder.endObject();
  };
  if (isBool(info)) return [6, bare()];
  if (isTime(info)) {
    if (info.unit === 'D') return [8, parameter(0)];
    return [isMoment(info) ? 10 : 18, parameter(UNITS.indexOf(info.unit ?? ''))];
  }
  // Halves are stored as FLOAT.
  if (isFloat(info)) return [3, parameter(info.itemBytes === 8 ? 2 : 1)];
  const { domain, isUnsigned } = dtypeFacts(info);
  if (domain === 'bytes') return [4, bare()];
  if (domain === 'text') return [5, bare()];
  builder.startObject(2);
  builder.addFieldInt32(0, 8 * info.itemBytes, 0);
  builder.addFieldInt8(1, isUnsigned ? 0 : 1, 0);
  return [2, builder.endObject()];
}
