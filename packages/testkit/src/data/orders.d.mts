// The types of orders.mjs, where everything is described.

export interface Order {
  readonly order_id: number;
  readonly ts: number;
  readonly region: string;
  readonly status: string;
  readonly amount: string;
  readonly quantity: number;
  readonly note: string | null;
}

export interface OrderColumns {
  readonly order_id: BigInt64Array;
  readonly ts: BigInt64Array;
  readonly region: string[];
  readonly status: string[];
  readonly amount: Float64Array;
  readonly quantity: BigInt64Array;
  readonly note: (string | null)[];
}

export const ORDER_TEXTS: {
  readonly region: readonly string[];
  readonly status: readonly string[];
  readonly note: readonly string[];
};
export const ORDERS_HEADER: string;
export function mulberry32(seed: number): () => number;
export function orders(rows: number): Generator<Order, void, void>;
export function orderColumns(rows: number): OrderColumns;
export function orderLine(order: Order): string;
export function orderCsv(rows: number): string;
