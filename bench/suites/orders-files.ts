// The orders -> raw columns and, for W2, the CSV file that is read in.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ORDERS_HEADER, ORDER_TEXTS, orderLine, orders } from '@colkit/testkit/orders';
import type { SuiteContext } from '../src/checkouts/peer.ts';
import type { Progress } from '../src/run/progress.ts';
import { TableFilesWriter } from './table/files.ts';
import { ORDERS } from './table/question.ts';

const CHUNK_CHARACTERS = 1 << 22;

export function csvPath({ directory }: SuiteContext): string {
  return join(directory, 'orders.csv');
}

export function jsonPath({ directory }: SuiteContext): string {
  return join(directory, 'rows.jsonl');
}

export function generateOrders(
  rows: number,
  takeRows: number,
  withCsv: boolean,
  directory: string,
  progress: Progress,
): void {
  const table = new TableFilesWriter(directory, ORDERS, new Map(Object.entries(ORDER_TEXTS)));
  const csv = withCsv ? openSync(join(directory, 'orders.csv'), 'w') : null;
  let text = ORDERS_HEADER;
  let row = 0;
  for (const order of orders(rows)) {
    table.add([order.order_id, order.ts, order.region, order.status, Number(order.amount), order.quantity, order.note]);
    if (csv !== null) text += orderLine(order);
    if (text.length > CHUNK_CHARACTERS) {
      if (csv !== null) writeSync(csv, text);
      text = '';
    }
    if (++row % 100_000 === 0) progress.update(`orders: row ${row} of ${rows}`);
  }
  if (csv !== null) {
    writeSync(csv, text);
    closeSync(csv);
  }
  table.close(takeRows);
}
