// Oracle tables -> batches in the forms that formats give them in.
import { parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { OracleColumn, OracleTable } from '@colkit/testkit';
import type { Chunk, Field, PredicateBatch } from '../../src/index.ts';
import { bitmapOf, encodeItems } from '../support/memory-table.ts';

export type Form = 'plain' | 'text' | 'dictionary' | 'utf8' | 'utf8-codes';

export function fieldsOf(table: OracleTable): Field[] {
  return table.columns.map(({ name, dtype, nullable }) => ({ name, dtype: dtype as DType, nullable }));
}

export function batchOf(table: OracleTable, form: Form): PredicateBatch {
  return {
    rowCount: table.rowCount,
    columns: new Map(table.columns.map((column, number) => [number, chunkOf(column, form)])),
  };
}

function chunkOf({ dtype, values }: OracleColumn, form: Form): Chunk {
  const info = parseDType(dtype);
  const rowCount = values.length;
  const validity = values.includes(null) ? bitmapOf(values) : null;
  if (info.kind === 'binary')
    return {
      kind: 'values',
      rowCount,
      values: values.map((value) => (value ?? new Uint8Array(0)) as Uint8Array),
      validity,
    };
  const isText = info.kind === 'bytes' || info.kind === 'unicode' || info.kind === 'string';
  if (!isText || (form === 'plain' && info.kind !== 'string'))
    return { kind: 'fixed', rowCount, bytes: encodeItems(info, values), validity };
  const texts = values.map((value) => (value ?? 'null holds anything') as string);
  if (form === 'utf8' || form === 'utf8-codes') {
    const shared = form === 'utf8' ? texts : [...new Set(texts)].reverse();
    const encoded = shared.map((text) => Buffer.from(text));
    let end = 0;
    return {
      kind: 'utf8',
      rowCount,
      bytes: Buffer.concat(encoded),
      ends: Uint32Array.from(encoded, ({ length }) => (end += length)),
      codes: form === 'utf8' ? null : Uint16Array.from(texts, (text) => shared.indexOf(text)),
      validity,
    };
  }
  if (form !== 'dictionary') return { kind: 'values', rowCount, values: texts, validity };
  const dictionary = [...new Set(values.filter((value) => value !== null) as string[])];
  // Without a bitmap, a code outside the dictionary is null.
  return {
    kind: 'dictionary',
    rowCount,
    codes: Int32Array.from(values, (value) => dictionary.indexOf(value as string)),
    dictionary,
    validity: values.length % 2 === 0 ? validity : null,
  };
}
