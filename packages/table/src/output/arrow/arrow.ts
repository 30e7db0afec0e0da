// A view -> an Arrow table, through the optional peer `apache-arrow`, which is loaded when this is first called. One
// record batch.
import {
  UnsupportedError,
  dtypeFacts,
  isFixedText,
  isFloat,
  isMoment,
  isRawItem,
  isTime,
  missingPeer,
} from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import { contextOf, run, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { allValid, packBits, setNull } from '../../validity.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { resolveRows } from '../../views/resolve.ts';
import { countRows } from '../../views/rows.ts';
import type { View } from '../../views/view.ts';
import { dictionaryData, fixedTextData, joinValues, nullsOf, textData } from './arrow-texts.ts';
import type { ArrowData, ArrowModule, ArrowNulls } from './arrow-texts.ts';
import { arrowTimes, timeTarget } from './arrow-times.ts';
import type { ColumnForm } from '../forms/column-form.ts';
import { convertColumn } from '../forms/convert.ts';
import type { AnyColumn } from '../forms/convert.ts';
import type { ArrowOptions } from '../options.ts';
import { PIECE_ROWS } from '../../piece-rows.ts';
import { readChunks } from '../reading/read-source.ts';
import { settleToRead } from '../settle.ts';

/** The high word of NaT; the low one is 0. */
const HIGH_OF_NAT = -(2 ** 31);

/** What every Arrow table has, without the peer's types. */
export interface ArrowTable {
  readonly numRows: number;
  readonly numCols: number;
  readonly schema: { readonly fields: readonly { readonly name: string; readonly nullable: boolean }[] };
  getChild(name: string): unknown;
  getChildAt(index: number): unknown;
}

interface Values {
  readonly values: FixedArray | readonly (string | Uint8Array)[];
  readonly validity: Uint8Array | null;
}

/** Once it is loaded: to import it again takes the runtime as long as a small table. */
let arrowModule: ArrowModule | null = null;

export async function toArrowTable(from: View, options: ArrowOptions = {}): Promise<ArrowTable> {
  const { fields } = from.projection;
  for (const [position, { name }] of fields.entries()) requireArrowType(from.projection.at(position).info, name);
  arrowModule ??= await loadArrow();
  return run(makeArrowTable(arrowModule, from, options), contextOf(options));
}

async function loadArrow(): Promise<ArrowModule> {
  try {
    return await import('apache-arrow');
  } catch (error) {
    throw missingPeer('apache-arrow', error);
  }
}

function* makeArrowTable(arrow: ArrowModule, from: View, { strings = 'values' }: ArrowOptions): Work<ArrowTable> {
  const texts = strings === 'dictionary' ? 'dictionary' : 'utf8';
  const { fields } = from.projection;
  const view = yield* settleToRead(from, 'toArrow', texts);
  const rowCount = countRows(view.rows);
  const { chunks, forms } = yield* readChunks(
    view,
    resolveRows(view.rows),
    'toArrow',
    { nulls: 'bitmap', strings },
    texts,
  );
  const children: ArrowData[] = [];
  for (const [position, { name }] of fields.entries()) {
    const chunk = chunks[position] as Chunk;
    if (chunk.kind === 'utf8' && texts === 'utf8') {
      children.push(yield* textData(arrow, chunk, name));
      continue;
    }
    const { info } = view.projection.at(position);
    if (chunk.kind === 'fixed' && chunk.validity === null && texts === 'utf8' && isFixedText(info)) {
      children.push(yield* fixedTextData(arrow, chunk, info, name));
      continue;
    }
    const isCoded = chunk.kind === 'dictionary' && texts === 'dictionary';
    const column = isCoded ? chunk : yield* convertColumn(forms[position] as ColumnForm, rowCount, chunk, null);
    if ('codes' in column) {
      children.push(yield* dictionaryData(arrow, column, name));
      continue;
    }
    children.push(yield* arrowData(arrow, info, name, valuesOf(column), rowCount));
  }
  const arrowFields = fields.map(
    ({ name, nullable }, position) =>
      new arrow.Field(
        name,
        (children[position] as ArrowData).type,
        nullable || hasNaT(view.projection.at(position).info),
      ),
  );
  const schema = new arrow.Schema(arrowFields);
  const data = arrow.makeData({ type: new arrow.Struct(arrowFields), length: rowCount, nullCount: 0, children });
  return new arrow.Table(schema, new arrow.RecordBatch(schema, data));
}

function valuesOf(column: AnyColumn): Values {
  return ('validity' in column ? column : { values: column, validity: null }) as Values;
}

/** Columns in which a value may stand for null. */
function hasNaT(info: DTypeInfo): boolean {
  return isTime(info);
}

/** @throws UnsupportedError ERR_DTYPE, before anything is read or loaded. */
function requireArrowType(info: DTypeInfo, name: string): void {
  if (isRawItem(info) || (isTime(info) && timeTarget(info) === null)) {
    throw new UnsupportedError(
      'ERR_DTYPE',
      info.name,
      `toArrow: column ${JSON.stringify(name)} is ${info.name}, for which Arrow has no type; drop() it`,
    );
  }
}

function* arrowData(
  arrow: ArrowModule,
  info: DTypeInfo,
  name: string,
  { values, validity }: Values,
  length: number,
): Work<ArrowData> {
  const nulls = nullsOf(validity, length);
  if (isTime(info)) {
    const ticks = values as BigInt64Array;
    const present = yield* withoutNaT(ticks, validity, length);
    return timeData(arrow, info, yield* arrowTimes(info, ticks, present, name), length, nullsOf(present, length));
  }
  switch (dtypeFacts(info).domain) {
    case 'bool':
      return arrow.makeData({
        type: new arrow.Bool(),
        length,
        ...nulls,
        data: yield* bitsOf(values as Uint8Array, length),
      });
    case 'text':
      return arrow.makeData({
        type: new arrow.Utf8(),
        length,
        ...nulls,
        ...(yield* joinValues(values as readonly string[], validity, name)),
      });
    case 'bytes':
      return arrow.makeData({
        type: new arrow.Binary(),
        length,
        ...nulls,
        ...(yield* joinValues(values as readonly Uint8Array[], validity, name)),
      });
    default:
      return numberData(arrow, info, values as FixedArray, length, nulls);
  }
}

function numberData(
  arrow: ArrowModule,
  info: DTypeInfo,
  values: FixedArray,
  length: number,
  nulls: ArrowNulls,
): ArrowData {
  // Arrow's classes have the names of the types: Int8, Uint64, Float16.
  const type = arrow[`${info.name.charAt(0).toUpperCase()}${info.name.slice(1)}` as 'Int8'];
  // Arrow keeps halves as their bits.
  const isHalf = isFloat(info) && info.itemBytes === 2;
  const data = isHalf ? new Uint16Array(values.buffer as ArrayBuffer, values.byteOffset, length) : values;
  return arrow.makeData({ type: new type(), length, ...nulls, data: data as Int8Array });
}

function timeData(
  arrow: ArrowModule,
  info: DTypeInfo & { readonly kind: 'datetime' | 'timedelta' },
  data: BigInt64Array | Int32Array,
  length: number,
  nulls: ArrowNulls,
): ArrowData {
  const unit = timeTarget(info);
  if (data instanceof Int32Array) return arrow.makeData({ type: new arrow.DateDay(), length, ...nulls, data });
  if (isMoment(info)) {
    const type =
      unit === 's'
        ? new arrow.TimestampSecond()
        : unit === 'ms'
          ? new arrow.TimestampMillisecond()
          : unit === 'us'
            ? new arrow.TimestampMicrosecond()
            : new arrow.TimestampNanosecond();
    return arrow.makeData({ type, length, ...nulls, data });
  }
  const type =
    unit === 's'
      ? new arrow.DurationSecond()
      : unit === 'ms'
        ? new arrow.DurationMillisecond()
        : unit === 'us'
          ? new arrow.DurationMicrosecond()
          : new arrow.DurationNanosecond();
  return arrow.makeData({ type, length, ...nulls, data });
}

function* bitsOf(values: Uint8Array, length: number): Work<Uint8Array> {
  const bits = new Uint8Array((length + 7) >>> 3);
  for (let start = 0; start < length; start += PIECE_ROWS) {
    yield TURN;
    packBits(values, start, Math.min(length, start + PIECE_ROWS), bits);
  }
  return bits;
}

/** A validity in which NaT is null too; null where nothing is. */
function* withoutNaT(ticks: BigInt64Array, validity: Uint8Array | null, length: number): Work<Uint8Array | null> {
  const words = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * length);
  let out: Uint8Array | null = null;
  for (let start = 0; start < length; start += PIECE_ROWS) {
    yield TURN;
    const end = Math.min(length, start + PIECE_ROWS);
    const first = firstNaT(words, start, end);
    if (first === end) continue;
    out ??= validity?.slice() ?? allValid(length);
    for (let row = first; row < end; row = firstNaT(words, row + 1, end)) setNull(out, row);
  }
  return out ?? validity;
}

/** By the words of the ticks, without a bigint of each; `end` where there is none. */
function firstNaT(words: Int32Array, start: number, end: number): number {
  for (let row = start; row < end; row += 1) if (words[2 * row + 1] === HIGH_OF_NAT && words[2 * row] === 0) return row;
  return end;
}
