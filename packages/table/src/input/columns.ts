// Whatever a user hands to a writer -> input columns: columns by name, packed records, row objects, an Arrow table, or
// a lazy table of any format. Every value is checked here, before the writer has begun (a lazy table's values were
// checked when they were written).
import { ArgumentError, attached, checkOptions, describeValue, dtypeOfArray, option, parseDType } from '@colkit/io';
import type { DTypeInfo, OptionSet } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import { Column } from '../output/column.ts';
import type { BitmapColumn, DictionaryColumn } from '../output/options.ts';
import { RecordBatch } from '../output/record-batch.ts';
import { settleView } from '../output/settle.ts';
import { Table } from '../output/table.ts';
import { describeNoColumn, describeNoTable, holdsColumns } from '../values/other-copies.ts';
import { arrowColumns, isArrowTable } from './from-arrow.ts';
import type { ArrowTableLike } from './from-arrow.ts';
import { isRows, rowColumns } from './from-rows.ts';
import type { RowInput } from './from-rows.ts';
import type { InputColumn, InputColumns } from './input-columns.ts';
import { MemoryColumn, nullRefused } from './memory-column.ts';
import { RecordColumn } from './record-column.ts';
import { SCHEMA_OPTION, entriesOf, parseSchema, requireUnique } from './schema-input.ts';
import type { SchemaInput, WantedColumn } from './schema-input.ts';
import { TextColumn, holdsTexts } from './text-column.ts';
import { TypedValues, columnLabel, dtypeOfValues } from './typed.ts';
import type { ColumnInput, PlainValues } from './typed.ts';
import { Utf8Texts } from './utf8-texts.ts';
import { ViewColumn } from './view-column.ts';

/** Columns by name; Maps and arrays of pairs keep the order of names such as "10". */
export type ColumnsInput =
  | Readonly<Record<string, ColumnInput>>
  | ReadonlyMap<string, ColumnInput>
  | readonly (readonly [string, ColumnInput])[];
/** Columns by name of an object whose type has no index signature: that of an interface or of a class. */
export type NamedColumns<C> = object & { readonly [Name in keyof C]: ColumnInput };
/** Everything that a writer takes. */
export type TableInput = ColumnsInput | RecordBatch | readonly RowInput[] | ArrowTableLike | Table | InputColumns;

export interface InputOptions {
  /** Fixes names, order and types: exactly these columns, as these types. */
  readonly schema?: SchemaInput;
  /**
   * 'refuse' for a format without nulls: throws for a null, naming column and row (of a table while it is read).
   * Default 'allow'.
   */
  readonly nulls?: 'allow' | 'refuse';
}

const INPUT_OPTIONS: OptionSet<InputOptions> = { schema: SCHEMA_OPTION, nulls: option.word('allow', 'refuse') };

const EXPECTED =
  'columns by name (an object, a Map, [name, values] pairs), row objects, packed records, an Arrow table or a ' +
  'lazy table';

/** One column before it was looked at: its name and what the user gave. */
type NamedColumn = readonly [name: string, values: ColumnInput | InputColumn | Utf8Texts];

/**
 * Brings what a user handed in into the one form that writers take.
 * @throws ArgumentError ERR_VALUE naming column and row for a value that does not fit; ERR_SCHEMA for names, lengths
 * and types; UnsupportedError ERR_DTYPE.
 */
export function toInputColumns(input: TableInput, options: InputOptions = {}): InputColumns {
  checkOptions('toInputColumns', INPUT_OPTIONS, options);
  const wanted = options.schema === undefined ? null : parseSchema(options.schema);
  const nulls = options.nulls ?? 'allow';
  const given = namedColumns(input, wanted, nulls);
  requireUnique(
    given.map(([name]) => name),
    'columns',
  );
  const columns =
    wanted === null
      ? given.map((column) => toColumn(column, null, nulls))
      : matched(given, wanted).map(({ column, want }) => toColumn(column, want, nulls));
  const [first] = columns;
  if (first === undefined) throw new ArgumentError('ERR_SCHEMA', 'columns', 'at least one column', 'none');
  for (const { field, rowCount } of columns) {
    if (rowCount !== first.rowCount)
      throw new ArgumentError(
        'ERR_SCHEMA',
        columnLabel(field.name),
        `${String(first.rowCount)} rows, as ${columnLabel(first.field.name)} has`,
        `${String(rowCount)} rows`,
      );
  }
  return { fields: columns.map(({ field }) => field), rowCount: first.rowCount, columns };
}

function namedColumns(
  input: TableInput,
  wanted: readonly WantedColumn[] | null,
  nulls: 'allow' | 'refuse',
): readonly NamedColumn[] {
  if (typeof input !== 'object' || (input as unknown) === null || ArrayBuffer.isView(input))
    throw new ArgumentError('ERR_SCHEMA', 'columns', EXPECTED, describeValue(input));
  if (input instanceof Table) {
    const table = new Table(runSync(settleView(input.view, 'write')));
    return table.columnNames.map((name) => [name, table.column(name)]);
  }
  if (input instanceof RecordBatch) return input.fields.map((field) => [field.name, new RecordColumn(input, field)]);
  if (isInputColumns(input)) return input.columns.map((column) => [column.field.name, column]);
  if (isArrowTable(input)) return arrowColumns(input, nulls);
  // A stream of batches is none of these, and its own properties are no columns.
  if (!Array.isArray(input) && (!holdsColumns(input) || Symbol.asyncIterator in input))
    throw new ArgumentError('ERR_SCHEMA', 'columns', EXPECTED, describeNoTable(input));
  if (!Array.isArray(input)) return entriesOf(input);
  if (isRows(input)) return rowColumns(input, wanted?.map(({ name }) => name) ?? null);
  return (input as readonly unknown[]).map((pair, position) => {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new ArgumentError(
        'ERR_SCHEMA',
        'columns',
        'pairs of name and values, or row objects',
        `${describeValue(pair)} at position ${String(position)}`,
      );
    return pair as unknown as NamedColumn;
  });
}

/**
 * The given columns in the order of the schema.
 * @throws ArgumentError ERR_SCHEMA for one that is missing or not in it.
 */
function matched(
  given: readonly NamedColumn[],
  wanted: readonly WantedColumn[],
): { readonly column: NamedColumn; readonly want: WantedColumn }[] {
  const byName = new Map(given.map((column) => [column[0], column]));
  const result = wanted.map((want) => {
    const column = byName.get(want.name);
    if (column === undefined)
      throw new ArgumentError(
        'ERR_SCHEMA',
        'columns',
        `a ${columnLabel(want.name)}, as the schema says`,
        given.map(([name]) => JSON.stringify(name)).join(', ') || 'none',
      );
    byName.delete(want.name);
    return { column, want };
  });
  for (const name of byName.keys())
    throw new ArgumentError('ERR_SCHEMA', 'columns', 'only the columns of the schema', columnLabel(name));
  return result;
}

function toColumn([name, values]: NamedColumn, want: WantedColumn | null, nulls: 'allow' | 'refuse'): InputColumn {
  const existing = values instanceof Column ? new ViewColumn(values.view, name) : isInputColumn(values) ? values : null;
  // What may hold nulls need not: only the values tell.
  if (existing instanceof ViewColumn && (existing.isComputed || existing.field.nullable) && nulls === 'refuse')
    return fitted(existing.withoutNulls(), want, nulls);
  if (existing !== null) return fitted(existing, want, nulls);
  const { info, plain, validity } = valuesOf(name, values as Exclude<ColumnInput, Column> | Utf8Texts, want);
  if (want !== null && info.name !== want.info.name)
    return fitted(new MemoryColumn(name, info, plain, undefined, validity), want, nulls);
  const nullable = nulls === 'refuse' && want?.nullable !== true ? undefined : want?.nullable;
  const column = new MemoryColumn(name, info, plain, nullable, validity);
  if (nulls === 'refuse') {
    if (column.firstNull !== -1) throw nullRefused(name, column.firstNull);
    return want?.nullable === true
      ? refusedNullable(column)
      : column.field.nullable
        ? new MemoryColumn(name, info, plain, false, null)
        : column;
  }
  return column;
}

/** A column whose values exist already, and so its type. */
function fitted(column: InputColumn, want: WantedColumn | null, nulls: 'allow' | 'refuse'): InputColumn {
  const { name, dtype, nullable } = column.field;
  if (want !== null && want.info.name !== dtype) {
    if (holdsTexts(want.info, column.info)) return fitted(new TextColumn(column, want.info), want, nulls);
    throw new ArgumentError('ERR_SCHEMA', columnLabel(name), want.info.name, dtype);
  }
  if (nullable && (nulls === 'refuse' || want?.nullable === false)) return refusedNullable(column);
  if (nullable || want?.nullable !== true) return column;
  const { info, rowCount } = column;
  return {
    field: { name, dtype, nullable: true },
    info,
    rowCount,
    read: (...range) => column.read(...range),
  };
}

function refusedNullable({ field }: InputColumn): never {
  throw new ArgumentError('ERR_SCHEMA', columnLabel(field.name), 'a column without nulls', `nullable ${field.dtype}`);
}

interface GivenValues {
  readonly info: DTypeInfo;
  readonly plain: PlainValues | Utf8Texts;
  readonly validity: Uint8Array | null;
}

const TEXT = parseDType('string');

/** What a user gave for one column, with its type settled. */
function valuesOf(
  name: string,
  values: Exclude<ColumnInput, Column> | Utf8Texts,
  want: WantedColumn | null,
): GivenValues {
  if (values instanceof TypedValues || values instanceof Utf8Texts) {
    const [info, plain] = values instanceof TypedValues ? [values.info, values.values] : [TEXT, values];
    if (want !== null && want.info.name !== info.name && !holdsTexts(want.info, info))
      throw new ArgumentError('ERR_SCHEMA', columnLabel(name), want.info.name, `typed values of ${info.name}`);
    return { info, plain, validity: null };
  }
  if (isBitmapColumn(values)) {
    const inner = valuesOf(name, values.values, want);
    return { ...inner, validity: values.validity };
  }
  const plain = isDictionaryColumn(values) ? textOfCodes(name, values) : values;
  const info =
    want?.info ?? parseDType(isDictionaryColumn(values) ? 'string' : dtypeOfValues(plain, columnLabel(name)));
  if (!Array.isArray(plain) && dtypeOfArray(plain) === null)
    throw new ArgumentError(
      'ERR_SCHEMA',
      columnLabel(name),
      'an array, a typed array or typed(dtype, values)',
      describeNoColumn(plain),
    );
  return { info, plain, validity: null };
}

function textOfCodes(name: string, { codes, dictionary }: DictionaryColumn): (string | null)[] {
  const texts = new Array<string | null>(attached(codes, 'write', columnLabel(name)).length);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    const text = code === -1 ? null : dictionary[code];
    if (text === undefined)
      throw new ArgumentError(
        'ERR_VALUE',
        columnLabel(name),
        `codes in [-1, ${String(dictionary.length)})`,
        `${String(code)} at row ${String(row)}`,
      );
    texts[row] = text;
  }
  return texts;
}

function isBitmapColumn(values: unknown): values is BitmapColumn<PlainValues | TypedValues> {
  return (
    typeof values === 'object' &&
    values !== null &&
    'validity' in values &&
    'values' in values &&
    dtypeOfArray(values.validity) === 'uint8'
  );
}

function isDictionaryColumn(values: unknown): values is DictionaryColumn {
  return (
    typeof values === 'object' &&
    values !== null &&
    'codes' in values &&
    'dictionary' in values &&
    dtypeOfArray(values.codes) === 'int32' &&
    Array.isArray(values.dictionary)
  );
}

/** A row count is no column, so that no columns by name are taken for this. */
function isInputColumns(input: TableInput): input is InputColumns {
  return (
    'fields' in input &&
    'columns' in input &&
    'rowCount' in input &&
    typeof input.rowCount === 'number' &&
    Array.isArray(input.columns) &&
    (input.columns as readonly unknown[]).every(isInputColumn)
  );
}

function isInputColumn(values: unknown): values is InputColumn {
  return (
    typeof values === 'object' &&
    values !== null &&
    'read' in values &&
    'info' in values &&
    'field' in values &&
    'rowCount' in values
  );
}
