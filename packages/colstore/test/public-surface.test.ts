// The names that users can import. A change here is a change of the package's promise.
import { expect, it } from 'vitest';
import * as colstore from '../src/index.ts';

it('exports these names', () => {
  expect(Object.keys(colstore).sort()).toEqual([
    'ArgumentError', 'CannotViewError', 'ClosedError', 'ColStore', 'ColkitError', 'Column', 'CorruptFileError', 'Expression', 'FILE_EXTENSION', 'IoError', 'LimitError', 'NAT', 'OutOfRangeError', 'QueryError', 'RecordBatch',
    'Table', 'TypedValues', 'UnknownColumnError', 'UnsupportedError', 'backendInfo', 'col', 'decodeFixedStrings', 'fromDate', 'fromISO', 'info', 'infoSync', 'isColkitError', 'maxWorkers', 'open',
    'openSource', 'openSourceSync', 'openSync', 'schema', 'schemaSync', 'setDefaultBackend', 'setDefaultMadvise', 'setMaxWorkers', 'toDate', 'toISO', 'typed', 'write', 'writeSync',
  ]);
});
