// What the tests of layouts share: one small table as bytes of a manifest and a body.
import { bytesOfHex } from '@colkit/testkit';
import { errorOf, flatFile, layoutOf } from '../support/files.ts';

export const XB = [
  { name: 'x', descr: '<i4' },
  { name: 'b', descr: '|b1' },
];

export const BODY = bytesOfHex('010000000200000003000000010001');

export const ONE = [{ rows: 3, body: BODY }];

export const FLAT =
  '{"format_version": 1, "n_rows": 3, "columns": [{"name": "x", "dtype": "<i4"}, {"name": "b", "dtype": "|b1"}]}';

export const CHECKED =
  '{"format_version": 1, "n_rows": 3, "columns": [{"name": "x", "dtype": "<i4", "encoding": "raw", "nullable": ' +
  'false}, {"name": "b", "dtype": "|b1", "encoding": "raw", "nullable": false}], "manifest_crc32": 1700804529}';

export const refusal = (bytes: Uint8Array): unknown => errorOf(() => layoutOf(bytes));

export const flat = (manifest: string): unknown => refusal(flatFile(manifest, BODY));

export const column = (more: string): string => `{"format_version": 1, "n_rows": 0, "columns": [{${more}}]}`;
