// Synthetic orders, the data of the size table and of the workload W2: the same rows for a given count wherever it runs.
// order_id +1 from 100000 | ts +1 to 5 minutes | region, one of 4 | status, one of 3 in runs of 1 to 50 | amount, a trend of 1 to 4000 plus noise, 2 decimals | quantity 1 to 12 | note, 70 % null, one of 5

const REGIONS = ['EMEA', 'APAC', 'AMER', 'LATAM'];
const STATUSES = ['paid', 'pending', 'refunded'];
const NOTES = ['gift', 'priority', 'fragile', 'call before', 'backorder'];

function mulberry32(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One order after the other, in the order of their ids; `ts` in milliseconds since 1970. */
export function* orders(rows, seed = 5) {
  const random = mulberry32(seed);
  let ts = Date.UTC(2024, 0, 1);
  let status = 0;
  let runLeft = 0;
  for (let i = 0; i < rows; i++) {
    ts += 60000 * (1 + Math.floor(random() * 5));
    if (runLeft === 0) {
      status = Math.floor(random() * 3);
      runLeft = 1 + Math.floor(random() * 50);
    }
    runLeft--;
    const region = REGIONS[Math.floor(random() * 4)];
    const amount = Math.max(1, Math.min(5000, 1 + (4000 * i) / rows + (random() - 0.3) * 1428)).toFixed(2);
    const quantity = 1 + Math.floor(random() * 12);
    const note = random() < 0.7 ? null : NOTES[Math.floor(random() * 5)];
    yield { order_id: 100000 + i, ts, region, status: STATUSES[status], amount, quantity, note };
  }
}

/** The orders as columns; `ts` in microseconds since 1970. */
export function orderColumns(rows, seed = 5) {
  const columns = {
    order_id: new BigInt64Array(rows), ts: new BigInt64Array(rows), region: new Array(rows), status: new Array(rows), amount: new Float64Array(rows), quantity: new BigInt64Array(rows), note: new Array(rows),
  };
  let i = 0;
  for (const order of orders(rows, seed)) {
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

/** The orders as a CSV file; an empty note is null. */
export function orderCsv(rows, seed = 5) {
  const lines = ['order_id,ts,region,status,amount,quantity,note'];
  for (const { order_id, ts, region, status, amount, quantity, note } of orders(rows, seed)) {
    lines.push(`${order_id},${new Date(ts).toISOString().slice(0, 19)},${region},${status},${amount},${quantity},${note ?? ''}`);
  }
  return `${lines.join('\n')}\n`;
}
