import { write } from 'columna';

await write('orders.cna', {
  region: ['EMEA', 'APAC', 'EMEA'],
  price: Float64Array.of(9.5, 12, 7.25),
});

// #region route
// app/api/totals/route.ts
import { open } from 'columna';
import type { Table } from 'columna';

export const runtime = 'nodejs';
let orders: Promise<Table> | undefined;

export async function GET(request: Request): Promise<Response> {
  // Opened once a process: requests share the table.
  const table = await (orders ??= open('orders.cna'));
  const least = Number(new URL(request.url).searchParams.get('least') ?? 0);
  const totals = await table
    .where('price >= @least', { least })
    .groupBy('region')
    .agg({ orders: 'count', revenue: { sum: 'price' } });
  return Response.json(await totals.table.toRows({ json: true }));
}
// #endregion route

const answer = await GET(new Request('http://localhost/api/totals?least=8'));
console.log(await answer.text());
// → [{"region":"EMEA","orders":1,"revenue":9.5},{"region":"APAC","orders":1,"revenue":12}]
