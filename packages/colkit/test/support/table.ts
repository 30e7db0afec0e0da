// Columns of every type -> a .cna file's bytes, by the public writer.
import { typed } from '@colkit/table';
import { orderColumns } from '@colkit/testkit/orders';
import { writeSync } from 'columna';
import type { DType, InspectedColumn, WriteInput } from 'columna';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestColumn {
  readonly name: string;
  readonly type: InspectedColumn['type'];
  readonly values: ArrayLike<unknown>;
  /** One bit a row, as in Arrow; of columns whose values are no null themselves. */
  readonly validity?: Uint8Array;
}

interface TestOptions {
  readonly rowGroupRows?: number;
  readonly pageRows?: number;
  readonly joint?: boolean;
}

const DTYPES: Partial<Record<TestColumn['type'], DType>> = { date: 'datetime64[D]', datetime: 'datetime64[us]' };

export function writeTable(
  columns: readonly TestColumn[],
  { rowGroupRows, pageRows, joint }: TestOptions = {},
): { bytes: Uint8Array } {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-table-'));
  const path = join(folder, 'table.cna');
  try {
    const input = columns.map(({ name, type, values, validity }) => {
      const given = typed(DTYPES[type] ?? (type as DType), values as never);
      return [name, validity === undefined ? given : { values: given, validity }] as const;
    });
    writeSync(path, input as WriteInput, {
      ...(rowGroupRows === undefined ? {} : { rowGroupSize: rowGroupRows }),
      ...(pageRows === undefined ? {} : { pageRows }),
      ...(joint === undefined ? {} : { joint }),
    });
    return { bytes: new Uint8Array(readFileSync(path)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The synthetic orders. */
export function orderTable(rows: number): TestColumn[] {
  const { order_id, ts, region, status, amount, quantity, note } = orderColumns(rows);
  return [
    { name: 'order_id', type: 'int64', values: order_id },
    { name: 'ts', type: 'datetime', values: ts },
    { name: 'region', type: 'string', values: region },
    { name: 'status', type: 'string', values: status },
    { name: 'amount', type: 'float64', values: amount },
    { name: 'quantity', type: 'int64', values: quantity },
    { name: 'note', type: 'string', values: note },
  ];
}
