// The synthetic orders as test columns.
import { orderColumns } from '@colkit/testkit/orders';
import type { TestColumn } from './table.ts';

export function orderTable(rows: number): TestColumn[] {
  const orders = orderColumns(rows);
  return [
    { name: 'order_id', type: 'int64', values: orders.order_id },
    { name: 'ts', type: 'datetime', values: orders.ts },
    { name: 'region', type: 'string', values: orders.region },
    { name: 'status', type: 'string', values: orders.status },
    { name: 'amount', type: 'float64', values: orders.amount },
    { name: 'quantity', type: 'int64', values: orders.quantity },
    { name: 'note', type: 'string', values: orders.note },
  ];
}
