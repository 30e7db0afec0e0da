export type { ColumnData, Field, ReadRequest, TableSource } from './source.ts';
export type { ColumnType, ArrayOf, ExpectedColumn, ExpectedSchema, TableTypes, TypesOf, ValueOf } from './schema.ts';
export { Table, tableOf } from './output/table.ts';
export { Column } from './output/column.ts';
export type { SumOf, ViewOf } from './output/column.ts';
export { RecordBatch } from './output/record-batch.ts';
export type { RecordField, RecordLayout } from './output/record-batch.ts';
export type {
  ArrayOptions, BitmapColumn, CellOf, ColumnResult, ColumnsOptions, ColumnsResult, DictionaryColumn, FormOptions, OutArrays, PlacementOptions, RowOf, RowOptions, RunOptions,
} from './output/options.ts';
export type { BatchOptions } from './output/batches.ts';
export type { RecordOptions } from './output/records.ts';
export type { PreviewOptions } from './output/preview.ts';
export type { ArrowTable } from './output/arrow.ts';
export type { IndexInput } from './views/indices.ts';
export type { View } from './views/view.ts';
export { typed, TypedValues } from './input/typed.ts';
export type { ColumnInput, InputValue, PlainValues } from './input/typed.ts';
export { toInputColumns } from './input/columns.ts';
export type { ColumnsInput, InputOptions, TableInput } from './input/columns.ts';
export type { InputChunk, InputColumn, InputColumns } from './input/input-columns.ts';
export type { SchemaInput } from './input/schema-input.ts';
export type { ArrowTableLike } from './input/from-arrow.ts';
export type { RowInput } from './input/from-rows.ts';
export { NAT, fromDate, fromISO, toDate, toISO } from './values/time.ts';
export { decodeFixedStrings } from './values/fixed-strings.ts';
export type { FixedStringOptions } from './values/fixed-strings.ts';
export { compareText } from './values/text-order.ts';
export { isValid } from './validity.ts';
