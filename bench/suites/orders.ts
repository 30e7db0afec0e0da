// Synthetic orders, the rows of workload W2: the same for a given count on every machine. What a line of the CSV file says is what the raw columns hold.
import { mulberry32 } from './uniform.ts';

/** One order; `ts` in milliseconds since 1970, `amount` as text with its two decimals, `note` empty for null. */
export interface Order {
  readonly order_id: number;
  readonly ts: number;
  readonly region: string;
  readonly status: string;
  readonly amount: string;
  readonly quantity: number;
  readonly note: string;
}

export const ORDERS_HEADER = 'order_id,ts,region,status,amount,quantity,note\n';
const REGIONS = ['EMEA', 'APAC', 'AMER', 'LATAM'] as const;
const STATUSES = ['paid', 'pending', 'refunded'] as const;
const NOTES = ['gift', 'priority', 'fragile', 'call before', 'backorder'] as const;
const SEED = 5;

/**
 * order_id counts from 100000; ts goes on by 1 to 5 minutes; region is uniform; status comes in runs of 1 to 50; amount is a trend of 1 to 4000 plus noise; quantity is 1 to 12;
 * note is empty in 70 % of the rows.
 */
export function* orders(rows: number): Generator<Order, void, void> {
  const uniform = mulberry32(SEED);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(uniform() * choices.length)] as T;
  let ts = Date.UTC(2024, 0, 1);
  let status: string = STATUSES[0];
  let runLeft = 0;
  for (let i = 0; i < rows; i++) {
    ts += 60_000 * (1 + Math.floor(uniform() * 5));
    if (runLeft === 0) {
      status = pick(STATUSES);
      runLeft = 1 + Math.floor(uniform() * 50);
    }
    runLeft--;
    const region = pick(REGIONS);
    const amount = Math.max(1, Math.min(5000, 1 + (4000 * i) / rows + (uniform() - 0.3) * 1428)).toFixed(2);
    const quantity = 1 + Math.floor(uniform() * 12);
    const note = uniform() < 0.7 ? '' : pick(NOTES);
    yield { order_id: 100_000 + i, ts, region, status, amount, quantity, note };
  }
}

export function orderLine(order: Order): string {
  return `${order.order_id},${new Date(order.ts).toISOString().slice(0, 19)},${order.region},${order.status},${order.amount},${order.quantity},${order.note}\n`;
}
