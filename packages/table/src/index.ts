// The public face of @colkit/table: what users of any format hold, and what a format needs to become a table. CSV has
// an entry point of its own.
export type { Answer, ColumnSource, Field, ReadRequest, RowRange, TableSource } from './source.ts';
export type {
  Plan,
  Want,
  WantedAggregates,
  WantedColumns,
  WantedExplanation,
  WantedRows,
} from './plan/plan.ts';
export { CompositeTable, uniteFields } from './composite/index.ts';
export type {
  ConstantColumn,
  JoinedReads,
  OnMismatch,
  Part,
  PartColumn,
  UnitedFields,
} from './composite/index.ts';
export { Dataset } from './dataset/dataset.ts';
export type { DatasetFile } from './dataset/dataset.ts';
export { DATASET_OPTIONS, openDatasetOf, openDatasetOfSync } from './dataset/open-dataset.ts';
export type { DatasetOptions } from './dataset/open-dataset.ts';
export type { DatasetInput } from './dataset/given-dataset.ts';
export { commitTo, history } from './dataset/commit.ts';
export type { CommitOptions, Committed, HistoryEntry } from './dataset/commit.ts';
export { partKey, pathTexts, referenceOf } from './dataset/part-reference.ts';
export type { PartReference } from './dataset/part-reference.ts';
export { committedVersion, storeOf } from './dataset/given-dataset.ts';
export { vacuum } from './dataset/vacuum.ts';
export type { VacuumOptions, Vacuumed } from './dataset/vacuum.ts';
export { batchesOfTask, mergePartials, partialOf, tableOfTask } from './dataset/tasks.ts';
export type { OpenTaskOptions, PartialState, PartialTask, Task, TaskOptions } from './dataset/tasks.ts';
export type { Split, SplitOptions } from './dataset/splits.ts';
export { mergeStatistics } from './dataset/merge-statistics.ts';
export type {
  PartFormat,
  PartGroup,
  PartHead,
  PartOptions,
  PartPlace,
  PartVersion,
} from './dataset/part-format.ts';
export { requireVersion, versionOf } from './dataset/part-version.ts';
export type { PartitionType } from './dataset/path-values.ts';
export type {
  ColumnType,
  ArrayOf,
  SumOf,
  ExpectOptions,
  ExpectedColumn,
  ExpectedSchema,
  ExpectedTypes,
  TableTypes,
  TypesOf,
  ValueOf,
} from './schema.ts';
export { EXPECT_OPTIONS } from './schema.ts';
export { numberedName } from './field.ts';
export { Table, tableOf } from './output/table.ts';
export { jsonCellOf } from './output/forms/json.ts';
export { Column } from './output/column.ts';
export type { ViewOf } from './output/column.ts';
export { GroupedResult, GroupedTable } from './output/grouped-table.ts';
export { aggregatesOfView, groupsOfView } from './output/parts.ts';
export { COLUMN_READING, columnsOfSource } from './output/reading/columns-reading.ts';
export { TABLE_READING, columnsOfView } from './output/reading/reading.ts';
export { provideColumnReading } from './output/reading/provided-columns-reading.ts';
export { provideTableReading } from './output/reading/provided-reading.ts';
export { boundPredicate } from './plan/settling.ts';
export { expectView, selectView, viewOf } from './views/view.ts';
export { whereView } from './views/where-view.ts';
export type { GroupedColumns } from './output/grouped-table.ts';
export type { Accumulator } from './aggregate/accumulator.ts';
export type { Aggregation, Running } from './aggregate/aggregation.ts';
export { ValueReader } from './aggregate/column-values.ts';
export type { Cell, ColumnValues } from './aggregate/column-values.ts';
export type { GroupKeys } from './aggregate/keys/group-keys.ts';
export type { KeyRanges, NumberedRanges } from './aggregate/keys/key-ranges.ts';
export type {
  Aggregate,
  AggregateOf,
  AggregateOperation,
  AggregateSpec,
  AggregateSpecs,
  AggregatedColumn,
  AggregatesOf,
} from './aggregate/spec.ts';
export type { OrderKey, OrderOptions } from './arrange/arrange-view.ts';
export { RecordBatch } from './output/record-batch.ts';
export type { RecordField, RecordLayout } from './output/record-batch.ts';
export type {
  ArrayOptions,
  ArrowOptions,
  BitmapColumn,
  CellOf,
  ColumnResult,
  ColumnsOptions,
  ColumnsResult,
  DictionaryColumn,
  FormOptions,
  OutArrays,
  PlacementOptions,
  RecordOptions,
  RowOf,
  RowOptions,
  RunOptions,
} from './output/options.ts';
export { COLUMNS_OPTIONS, FORM_OPTIONS } from './output/options.ts';
export type { BatchOptions } from './output/options.ts';
export type { PreviewOptions } from './output/text/inspect-text.ts';
export type { ArrowTable } from './output/arrow/arrow.ts';
export type { IndexInput } from './views/indices.ts';
export type { View } from './views/view.ts';
export { allRows, rangeOf } from './views/rows.ts';
export type { Rows } from './views/rows.ts';
export { typed, TypedValues } from './input/typed.ts';
export type { ColumnTypeOf, TypesOfColumns, TypesOfRows } from './input/input-types.ts';
export type { ColumnInput, InputValue, PlainValues } from './input/typed.ts';
export { toInputColumns } from './input/columns.ts';
export { settleInput, settledInput } from './input/settle-input.ts';
export type { ColumnsInput, InputOptions, NamedColumns, TableInput } from './input/columns.ts';
export { readAtOnce } from './input/input-columns.ts';
export type { InputColumn, InputColumns } from './input/input-columns.ts';
export { SCHEMA_OPTION } from './input/schema-input.ts';
export type { SchemaInput } from './input/schema-input.ts';
export { arrowColumns } from './input/from-arrow.ts';
export type { ArrowTableLike } from './input/from-arrow.ts';
export { Utf8Texts } from './input/utf8-texts.ts';
export type { NamedValues, RowInput } from './input/from-rows.ts';
export { TableEdit, editTable } from './edit/table-edit.ts';
export type { ColumnFunction } from './edit/applied-column.ts';
export type {
  ApplyOptions,
  ConditionOptions,
  DerivedValue,
  DerivedValues,
  EditWriter,
  ReportOptions,
} from './edit/table-edit.ts';
export { CutFlow } from './edit/cut-flow.ts';
export type { CutFlowStep } from './edit/cut-flow.ts';
export { toBase64 } from './values/base64.ts';
export { nearestDouble } from './values/decimal.ts';
export { NAT } from './values/nat.ts';
export { describeNoTable } from './values/other-copies.ts';
export { ATTOSECONDS, fromDate, fromISO, toDate, toISO } from './values/time.ts';
export { decodeFixedStrings } from './values/fixed-strings.ts';
export type { FixedStringOptions } from './values/fixed-strings.ts';
export { compareText } from './values/text-order.ts';
export { findNoBit, isValid } from './validity.ts';
export { itemsOf, valuesOf, writtenChunk } from './chunk/chunk.ts';
export { KnownTexts } from './values/known-texts.ts';
export { isAscii, isUtf8 } from './values/utf8.ts';
export { cutTexts, decodeUtf8, offsetsFor, roomForTexts, usedBytes } from './values/utf8-texts.ts';
export type { Chunk, DictionaryChunk, FixedChunk, Utf8Chunk, ValuesChunk } from './chunk/chunk.ts';
export { ChunkJoiner, joinedChunk, sliceChunk } from './chunk/chunk-joiner.ts';
export { utf8OfFixed } from './chunk/utf8-of-fixed.ts';
export { TextTable } from './chunk/text-table.ts';
export { ValidityBuilder } from './chunk/validity-builder.ts';
export { arrayFor } from './array-for.ts';
export { stretchOfRow } from './row-search.ts';
export type {
  BoundNode,
  BoundPredicate,
  BoundValue,
  ArithmeticOperator,
  ColumnLeaf,
  ColumnRef,
  CompareOperator,
  GeneralLeaf,
  Literal,
  ValueType,
} from './query/bound-predicate.ts';
export type { ColumnStatistics, StatisticsOf, StatisticsValue } from './query/proof/column-statistics.ts';
export type { PredicateBatch } from './query/evaluate/predicate-batch.ts';
export type { QueryParams } from './query/text/query-params.ts';
export { isColumnLeaf } from './query/bound-predicate.ts';
export { likeFolds, likeTest } from './query/kernels/like.ts';
export { listOf, markListed, newList } from './query/kernels/value-list.ts';
export type { LikePattern } from './query/kernels/like.ts';
export { Expression, col } from './query/text/expression.ts';
export type { Operand } from './query/text/expression.ts';
export type { PlainValue } from './query/text/syntax.ts';
export { columnRefsOf } from './query/columns-of.ts';
export { bindPredicate } from './query/bind/bind.ts';
export type { Predicate } from './query/bind/bind.ts';
export { provesAllMatch, provesNoMatch } from './query/proof/proof.ts';
export { BatchSelector } from './query/evaluate/batch-selector.ts';
export { conjuncts, evaluateBatch } from './query/evaluate/evaluate.ts';
export { answerRaw } from './raw/answer-raw.ts';
export type { RawSource } from './raw/answer-raw.ts';
export { rawColumn } from './raw/raw-columns.ts';
