// Parquet out, through the optional peer hyparquet-writer: an item is a row, a key whose arrays have one element a
// plain column, any other a list column.
import { UnsupportedError } from '@colkit/io';
import type { SchemaElement } from 'hyparquet';
import type { Target } from '../terminal/output.ts';
import type { SyrahFile } from 'syrah';
import { peers } from '../formats/peers.ts';
import { parquetType } from '../tables/parquet/parquet-elements.ts';
import { RowGroupWriter } from '../tables/parquet/row-group-writer.ts';
import { columnDType, isFlags, isText } from './dtypes.ts';
import type { StoredDType, SyrahValue } from './dtypes.ts';
import type { ItemSink, OutputEntries } from './item-exchange.ts';

/** What makes a row group: bytes of arrays, or items, whose values take far more memory than their bytes. */
const ROW_GROUP_BYTES = 16 * 1024 * 1024;
const ROW_GROUP_ITEMS = 131_072;

/**
 * Numbers of 8 and 16 bits are INT32 with an annotation; float16 becomes FLOAT, float128 DOUBLE (with loss). A key
 * whose arrays all have one element is a plain column.
 */
export async function openParquetSink(target: Target, file: SyrahFile): Promise<ItemSink> {
  const peer = await peers.parquetWriter();
  const columns = file.schema.map(({ name, dtype }) => columnOf(file, name, dtype));
  const schema: SchemaElement[] = [
    { name: 'schema', num_children: columns.length },
    ...columns.flatMap(({ elements }) => elements),
  ];
  const sink = await target.open();
  const parquet = new RowGroupWriter(peer, { schema, put: (bytes) => sink.write(bytes) });
  let rows: unknown[][] = columns.map(() => []);
  let bytes = 0;
  const flush = async (): Promise<void> => {
    const count = rows[0]?.length ?? 0;
    if (count === 0) return;
    await parquet.write(
      columns.map(({ name }, k) => ({ name, data: rows[k] ?? [] })),
      count,
    );
    rows = columns.map(() => []);
    bytes = 0;
  };
  return {
    async put(entries: OutputEntries, item: number) {
      for (const [k, [, value]] of entries.entries()) {
        const { single = false, flags = false } = columns[k] ?? {};
        const elements = typeof value === 'string' ? [value] : elementsOf(value, flags);
        rows[k]?.push(single || typeof value === 'string' ? elements[0] : elements);
        bytes += typeof value === 'string' ? value.length : value.byteLength;
      }
      if (bytes >= ROW_GROUP_BYTES || item % ROW_GROUP_ITEMS === ROW_GROUP_ITEMS - 1) await flush();
    },
    async finish() {
      await flush();
      await parquet.finish();
      await sink.finish();
    },
    abort: () => sink.abort(),
  };
}

/** Flags come as bytes of 0 and 1. */
function elementsOf(value: Exclude<SyrahValue, string>, flags: boolean): unknown[] {
  const elements = value as ArrayLike<number | bigint>;
  return flags ? Array.from(elements, (element) => element !== 0) : Array.from(elements);
}

interface Column {
  readonly name: string;
  readonly single: boolean;
  readonly flags: boolean;
  readonly elements: readonly SchemaElement[];
}

function columnOf(file: SyrahFile, name: string, dtype: StoredDType | null): Column {
  const type = dtype === null ? null : parquetType(columnDType(dtype));
  if (dtype === null || type === null)
    throw new UnsupportedError(
      'ERR_DTYPE',
      'Parquet',
      `${file.path}: key ${JSON.stringify(name)} of ${dtype ?? 'several dtypes'} has no place in Parquet`,
    );
  const single = isText(dtype) || file.lengths(name).every((length) => length === 1);
  const flags = isFlags(dtype);
  if (single) return { name, single, flags, elements: [{ name, repetition_type: 'REQUIRED', ...type }] };
  return {
    name,
    single,
    flags,
    elements: [
      { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', ...type },
    ],
  };
}
