// Whether what was read of a record batch is as long as the batch says: apache-arrow believes it, and who asked for
// each row of a damaged one would never end.

/** What has neither a bitmap nor values. */
const NULL = 1;
const BOOL = 6;
/** Refused by its type where it is asked for; its offsets are others. */
const UNION = 14;
const FIXED_SIZE_LIST = 16;
const BINARY_VIEW = 23;
const UTF8_VIEW = 24;
const VIEW_BYTES = 16;
/** What is no longer stands in its view; of others there are a buffer and where they begin in it. */
const INLINE_BYTES = 12;
const BUFFER_AT = 8;
const START_AT = 12;

/** What is used of Apache's batches. */
export interface ReadBatch {
  readonly data: ReadColumn;
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
}

/** What its type has not is undefined. */
interface ReadColumn {
  readonly length: number;
  readonly offset: number;
  readonly nullCount: number;
  readonly type: { readonly typeId: number; readonly listSize?: number };
  readonly children: readonly ReadColumn[];
  readonly values?: Sized | (Sized & ArrayBufferView);
  /** Of views, what those are of that do not stand in them. */
  readonly variadicBuffers?: readonly Sized[];
  /** Of lists and maps where each begins, and the last one ends. */
  readonly valueOffsets?: ArrayLike<number | bigint>;
  readonly nullBitmap?: Uint8Array | null;
  readonly dictionary?: { readonly data: readonly ReadColumn[] };
}

interface Sized {
  readonly length: number;
}

/** @throws Error where it is damaged. */
export function checkLengths({ data, schema }: ReadBatch): void {
  for (const [position, column] of data.children.entries()) {
    const name = JSON.stringify(schema.fields[position]?.name);
    if (column.length !== data.length)
      throw new Error(`${String(column.length)} rows of ${name} in a batch of ${String(data.length)}`);
    checkColumn(column);
  }
}

function checkColumn(column: ReadColumn): void {
  const { length, offset, nullCount, type, children, values, valueOffsets, nullBitmap, dictionary } = column;
  const { typeId } = type;
  // Of a table without batches apache-arrow makes columns whose children are undefined.
  if (length === 0 || typeId === NULL || typeId === UNION) return;
  if (nullCount > 0) requireRows('a bitmap', 8 * (nullBitmap?.length ?? 0), offset + length);
  if (typeId === BINARY_VIEW || typeId === UTF8_VIEW) checkViews(column);
  else if (valueOffsets !== undefined) requireRows('offsets', valueOffsets.length - 1, length);
  // Of nulls alone there need be none.
  else if (values !== undefined && nullCount < length)
    requireRows('values', typeId === BOOL ? 8 * values.length - offset : values.length, length);
  const least =
    typeId === FIXED_SIZE_LIST
      ? (type.listSize ?? 1) * length
      : valueOffsets === undefined
        ? length
        : Number(valueOffsets[length]);
  for (const child of children) {
    requireRows('items', child.length, least);
    checkColumn(child);
  }
  for (const chunk of dictionary?.data ?? []) checkColumn(chunk);
}

/** apache-arrow cuts off what goes beyond its buffer. */
function checkViews(column: ReadColumn): void {
  const { length, offset, nullCount, values, nullBitmap, variadicBuffers = [] } = column;
  // Of nulls alone there need be none.
  if (nullCount === length) return;
  const bytes = ArrayBuffer.isView(values) ? values : new Uint8Array(0);
  requireRows('views', Math.floor(bytes.byteLength / VIEW_BYTES), length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bits = nullCount > 0 ? (nullBitmap ?? null) : null;
  for (let row = 0; row < length; row++) {
    const bit = offset + row;
    if (bits !== null && (((bits[bit >>> 3] as number) >>> (bit & 7)) & 1) === 0) continue;
    const at = row * VIEW_BYTES;
    const size = view.getInt32(at, true);
    if (size >= 0 && size <= INLINE_BYTES) continue;
    const buffer = variadicBuffers[view.getInt32(at + BUFFER_AT, true)];
    const start = view.getInt32(at + START_AT, true);
    if (size < 0 || start < 0 || buffer === undefined || start + size > buffer.length)
      throw new Error(`a view of ${String(size)} bytes from byte ${String(start)} of a buffer that has not as many`);
  }
}

function requireRows(what: string, found: number, wanted: number): void {
  if (wanted > 0 && found < wanted)
    throw new Error(`${what} of ${String(found)} rows where there should be ${String(wanted)}`);
}
