import { expect, test } from 'vitest';
import * as csv from '../src/csv/index.ts';
import * as parquet from '../src/parquet/index.ts';
import * as table from '../src/index.ts';

test('the public surface', () => {
  expect(Object.keys(table).sort()).toEqual([
    'BatchSelector', 'COLUMNS_OPTIONS', 'Column', 'Expression', 'FORM_OPTIONS', 'GroupedResult', 'GroupedTable', 'NAT', 'RUN_OPTIONS', 'RecordBatch', 'SCHEMA_OPTION', 'Table', 'TypedValues', 'bindPredicate', 'col', 'compareText', 'conjuncts', 'decodeFixedStrings', 'evaluateBatch', 'fromDate', 'fromISO', 'isValid', 'parseAggregates', 'provesAllMatch', 'provesNoMatch', 'selectBatch', 'settleInput', 'stretchOfRow', 'tableOf', 'toDate', 'toISO', 'toInputColumns', 'typed',
  ]);
  const methods = (type: { prototype: object }): string[] => Object.getOwnPropertyNames(type.prototype).sort();
  expect(methods(table.Table)).toEqual([
    'agg', 'aggSync', 'batches', 'batchesSync', 'close', 'closed', 'column', 'columnNames', 'constructor', 'count', 'countSync', 'distinct', 'drop', 'expectSchema', 'explain', 'explainSync', 'filter', 'groupBy', 'head', 'name', 'orderBy', 'preview', 'previewSync', 'resolve', 'resolveSync', 'rowCount', 'rowNumbers', 'rows', 'rowsSync', 'schema', 'select',
    'slice', 'tail', 'take', 'toArrow', 'toColumnMap', 'toColumnMapSync', 'toColumns', 'toColumnsSync', 'toRecords', 'toRecordsSync', 'toRows', 'toRowsSync', 'viewColumns', 'where',
  ]);
  expect(methods(table.Column)).toEqual([
    'at', 'atSync', 'constructor', 'count', 'countDistinct', 'countDistinctSync', 'countSync', 'filter', 'first', 'firstSync', 'head', 'last', 'lastSync', 'length', 'max', 'maxSync', 'mean', 'meanSync', 'min', 'minSync', 'slice', 'std', 'stdSync', 'sum', 'sumSync', 'tail', 'take', 'toArray', 'toArraySync', 'var', 'varSync', 'viewArray',
  ]);
});

test('the public surface of @colkit/table/csv', () => {
  expect(Object.keys(csv).sort()).toEqual(['BlockParser', 'CSV_OPTIONS', 'CsvFile', 'CsvInput', 'OwnLane', 'TO_CSV_OPTIONS', 'TextTable', 'openCsv', 'readCsv', 'saidBool', 'saidFloat', 'saidInteger', 'toCsv']);
});

test('the public surface of @colkit/table/parquet', () => {
  expect(Object.keys(parquet).sort()).toEqual(['TEXT_PARSERS', 'emptyPages', 'leafType', 'parquetFault', 'requireCodecs', 'requirePlainFooter', 'requireRowCounts', 'storedMetadata', 'textOrBytes', 'watchedReads']);
});
