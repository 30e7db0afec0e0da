// Oracle tables -> batches in the forms that formats give them in.
import { parseDType, typedArrayOver } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import type { BatchColumn, Field, PredicateBatch } from '../../src/index.ts';
import { bitmapOf, encodeItems } from '../support/memory-table.ts';

export type Form = 'plain' | 'text' | 'dictionary';

export function fieldsOf(table: OracleTable): Field[] {
  return table.columns.map(({ name, dtype, nullable }) => ({ name, dtype: dtype as DType, nullable }));
}

export function batchOf(table: OracleTable, form: Form): PredicateBatch {
  return {
    rowCount: table.rowCount,
    columns: new Map(table.columns.map((column, number) => [number, columnOf(column, form)])),
  };
}

function columnOf({ dtype, values }: OracleColumn, form: Form): BatchColumn {
  const info = parseDType(dtype);
  const validity = values.includes(null) ? bitmapOf(values) : null;
  if (info.kind === 'binary')
    return { kind: 'binary', values: values.map((value) => (value ?? new Uint8Array(0)) as Uint8Array), validity };
  if (info.kind === 'bytes' || info.kind === 'unicode' || info.kind === 'string') {
    if (form === 'plain' && info.kind !== 'string')
      return { kind: 'items', bytes: encodeItems(info, values), validity };
    if (form !== 'dictionary')
      return { kind: 'text', values: values.map((value) => (value ?? 'null holds anything') as string), validity };
    const dictionary = [...new Set(values.filter((value) => value !== null) as string[])];
    // Without a bitmap, a code outside the dictionary is null.
    return {
      kind: 'dictionary',
      codes: Int32Array.from(values, (value) => dictionary.indexOf(value as string)),
      dictionary,
      validity: values.length % 2 === 0 ? validity : null,
    };
  }
  return { kind: 'array', values: typedArrayOver(info, encodeItems(info, values)), validity };
}
