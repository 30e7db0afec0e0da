// The synthetic orders of demo/orders.mjs as test columns.
// @ts-expect-error plain JavaScript without declarations
import { orderColumns } from '../../demo/orders.mjs';
import type { TestColumn } from './table.ts';

export interface Orders {
  readonly order_id: BigInt64Array;
  readonly ts: BigInt64Array;
  readonly region: string[];
  readonly status: string[];
  readonly amount: Float64Array;
  readonly quantity: BigInt64Array;
  readonly note: (string | null)[];
}

/** @returns the columns of that many orders, always the same ones. */
export const ordersOf = orderColumns as (rows: number) => Orders;

export function orderTable(rows: number): TestColumn[] {
  const orders = ordersOf(rows);
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
