// The synthetic orders as a .cna file.
import { typed } from '@colkit/table';
import { orderColumns } from '@colkit/testkit/orders';
import { writeSync } from 'columna';
import type { WriteOptions } from 'columna';

export type OrderColumns = ReturnType<typeof orderColumns>;

export function writeOrders(
  path: string,
  rows: number,
  options: WriteOptions = {},
  change?: (of: OrderColumns) => object,
): void {
  const columns = orderColumns(rows);
  writeSync(path, { ...columns, ts: typed('datetime64[us]', columns.ts), ...change?.(columns) }, options);
}
