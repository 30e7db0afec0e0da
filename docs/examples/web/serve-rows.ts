import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { open, write } from 'columna';

await write('orders.cna', {
  id: BigInt64Array.of(1n, 2n, 3n),
  region: ['EMEA', 'APAC', 'EMEA'],
  price: Float64Array.of(9.5, 12, 7.25),
});

// #region server
const orders = await open('orders.cna');

const server = createServer((request, response) => {
  const region = new URL(request.url ?? '/', 'http://localhost').searchParams.get('region') ?? '';
  orders
    .where('region == @region', { region })
    .toRows({ json: true })
    .then(
      (rows) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)),
      () => response.writeHead(500).end(),
    );
});
// #endregion server
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/?region=EMEA`);
console.log(await answer.text());
// → [{"id":1,"region":"EMEA","price":9.5},{"id":3,"region":"EMEA","price":7.25}]
server.close();
server.closeAllConnections();
orders.close();
