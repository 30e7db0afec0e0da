// Synthetic orders, the data of columna's size table and of the benchmark W2: the same rows for a given count wherever
// they are made. Plain JavaScript, so that plain Node runs it. order_id +1 from 100000 | ts +1 to 5 minutes | region,
// one of 4 | status, one of 3 in runs of 1 to 50 | amount, a trend of 1 to 4000 plus noise, 2 decimals | quantity 1 to
// 12 | note, 70 % null, one of 5

const SEED = 5;

/** The texts that each text column is drawn from. */
export const ORDER_TEXTS = {
  region: ['EMEA', 'APAC', 'AMER', 'LATAM'],
  status: ['paid', 'pending', 'refunded'],
  note: ['gift', 'priority', 'fragile', 'call before', 'backorder'],
};

/** Uniform numbers in [0, 1): a Weyl sequence through a 32-bit mixer. */
export function mulberry32(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * One order after the other, in the order of their ids; `ts` in milliseconds since 1970, `amount` as text with its two
 * decimals.
 */
export function* orders(rows) {
  const uniform = mulberry32(SEED);
  const pick = (texts) => texts[Math.floor(uniform() * texts.length)];
  let ts = Date.UTC(2024, 0, 1);
  let status = '';
  let runLeft = 0;
  for (let i = 0; i < rows; i++) {
    ts += 60_000 * (1 + Math.floor(uniform() * 5));
    if (runLeft === 0) {
      status = pick(ORDER_TEXTS.status);
      runLeft = 1 + Math.floor(uniform() * 50);
    }
    runLeft--;
    const region = pick(ORDER_TEXTS.region);
    const amount = Math.max(1, Math.min(5000, 1 + (4000 * i) / rows + (uniform() - 0.3) * 1428)).toFixed(2);
    const quantity = 1 + Math.floor(uniform() * 12);
    const note = uniform() < 0.7 ? null : pick(ORDER_TEXTS.note);
    yield { order_id: 100_000 + i, ts, region, status, amount, quantity, note };
  }
}

/** The orders as columns; `ts` in microseconds since 1970. */
export function orderColumns(rows) {
  const columns = {
    order_id: new BigInt64Array(rows),
    ts: new BigInt64Array(rows),
    region: new Array(rows),
    status: new Array(rows),
    amount: new Float64Array(rows),
    quantity: new BigInt64Array(rows),
    note: new Array(rows),
  };
  let i = 0;
  for (const order of orders(rows)) {
    columns.order_id[i] = BigInt(order.order_id);
    columns.ts[i] = BigInt(order.ts) * 1000n;
    columns.region[i] = order.region;
    columns.status[i] = order.status;
    columns.amount[i] = Number(order.amount);
    columns.quantity[i] = BigInt(order.quantity);
    columns.note[i] = order.note;
    i++;
  }
  return columns;
}

export const ORDERS_HEADER = 'order_id,ts,region,status,amount,quantity,note\n';

/** A line of CSV; an empty note is null. */
export function orderLine({ order_id, ts, region, status, amount, quantity, note }) {
  return (
    `${order_id},${new Date(ts).toISOString().slice(0, 19)},${region},${status},${amount},${quantity},` +
    `${note ?? ''}\n`
  );
}

/** The orders as a CSV file. */
export function orderCsv(rows) {
  return ORDERS_HEADER + [...orders(rows)].map(orderLine).join('');
}
