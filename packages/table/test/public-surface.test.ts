import { expect, test } from 'vitest';
import * as csv from '../src/csv/index.ts';
import * as parquet from '../src/parquet/index.ts';
import * as table from '../src/index.ts';

test('the public surface', () => {
  expect(Object.keys(table).sort()).toEqual([
    'BatchSelector', 'COLUMNS_OPTIONS', 'Column', 'Expression', 'FORM_OPTIONS', 'NAT', 'RUN_OPTIONS', 'RecordBatch', 'SCHEMA_OPTION', 'Table', 'Turns', 'TypedValues', 'bindPredicate', 'col', 'compareText', 'conjuncts', 'decodeFixedStrings', 'evaluateBatch', 'fromDate', 'fromISO', 'isValid', 'perform', 'provesAllMatch', 'provesNoMatch', 'runActions', 'runActionsSync', 'selectBatch', 'settleInput', 'stretchOfRow', 'tableOf', 'toDate', 'toISO', 'toInputColumns', 'typed',
  ]);
  const methods = (type: { prototype: object }): string[] => Object.getOwnPropertyNames(type.prototype).sort();
  expect(methods(table.Table)).toEqual([
    'batches', 'batchesSync', 'close', 'closed', 'column', 'columnNames', 'constructor', 'count', 'countSync', 'drop', 'expectSchema', 'explain', 'explainSync', 'filter', 'head', 'name', 'preview', 'previewSync', 'rowCount', 'rows', 'rowsSync', 'schema', 'select',
    'slice', 'tail', 'take', 'toArrow', 'toColumnMap', 'toColumnMapSync', 'toColumns', 'toColumnsSync', 'toRecords', 'toRecordsSync', 'toRows', 'toRowsSync', 'viewColumns', 'where',
  ]);
  expect(methods(table.Column)).toEqual([
    'at', 'atSync', 'constructor', 'count', 'countSync', 'filter', 'head', 'length', 'max', 'maxSync', 'mean', 'meanSync', 'min', 'minSync', 'slice', 'sum', 'sumSync', 'tail', 'take', 'toArray', 'toArraySync', 'viewArray',
  ]);
});

test('the public surface of @colkit/table/csv', () => {
  expect(Object.keys(csv).sort()).toEqual(['BlockParser', 'CSV_OPTIONS', 'CsvFile', 'CsvInput', 'OwnLane', 'TO_CSV_OPTIONS', 'TextTable', 'openCsv', 'readCsv', 'saidBool', 'saidFloat', 'saidInteger', 'toCsv']);
});

test('the public surface of @colkit/table/parquet', () => {
  expect(Object.keys(parquet).sort()).toEqual(['TEXT_PARSERS', 'emptyPages', 'leafType', 'parquetFault', 'requireCodecs', 'requirePlainFooter', 'requireRowCounts', 'storedMetadata', 'textOrBytes', 'watchedReads']);
});
