// Which format for which table? The same real table (three million flights) and the same synthetic one (orders) in all
// formats of this repository, in Parquet and in Arrow.
import type { Goal, Suite } from '../src/suite.ts';
import { flightsRows, generateFlights } from './flights.ts';
import { generateOrders } from './orders-files.ts';
import { tableParameters } from './table/files.ts';
import { TABLE_TASKS } from './table/tasks.ts';
import { ordersData } from './w2-scan.ts';

const OURS = 'columna/default';

const size = (subject: string, atMostBytes: number): Goal => ({ kind: 'size', subject, atMostBytes });

export const formatsFlights: Suite = {
  name: 'formats-flights',
  title: 'one real table in every format: 3 M flights (date, delay i16, distance i16, origin, destination)',
  baseline: OURS,
  tasks: TABLE_TASKS,
  goals: [
    size(OURS, 8.0e6),
    { kind: 'size-ratio', subject: OURS, against: 'vortex-file/compact', atMost: 8.0 / 11.3 },
    { kind: 'size-ratio', subject: OURS, against: 'hyparquet/shipped', atMost: 8.0 / 13.5 },
  ],
  data(quick) {
    const rows = quick ? 300_000 : flightsRows;
    return { name: `${String(rows / 1000)}k`, parameters: tableParameters(rows) };
  },
  generate: ({ rows = 0, takeRows = 0 }, directory, progress) => generateFlights(rows, takeRows, directory, progress),
};

export const formatsOrders: Suite = {
  name: 'formats-orders',
  title:
    'one synthetic table in every format: 5 M orders (order_id i64, ts, region, status, amount f64, quantity i32, ' +
    'note: 70 % null)',
  baseline: OURS,
  tasks: TABLE_TASKS,
  goals: [],
  data: (quick) => ordersData(quick ? 500_000 : 5_000_000),
  generate: ({ rows = 0, takeRows = 0 }, directory, progress) =>
    generateOrders(rows, takeRows, false, directory, progress),
};
