import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { isColkitError, open, write } from 'columna';

await write('orders.cna', {
  id: BigInt64Array.of(1n, 2n, 3n),
  region: ['EMEA', 'APAC', 'EMEA'],
  price: Float64Array.of(9.5, 12, 7.25),
});

// #region server
const orders = await open('orders.cna');
const app = express();

app.get('/orders', async (request, response) => {
  const page = Number(request.query['page'] ?? 0);
  // A value of the request is a parameter, and no part of the text.
  const matching = orders.where('region == @region', { region: String(request.query['region']) });
  const rows = await (await matching.resolve()).slice(100 * page, 100 * page + 100).toRows({ json: true });
  response.json(rows);
});

app.use((error: unknown, _request: express.Request, response: express.Response, next: express.NextFunction) => {
  if (!isColkitError(error)) next(error);
  else response.status(400).json({ code: error.code, message: error.message });
});
// #endregion server

const server = app.listen(0);
await once(server, 'listening');
const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders?region=EMEA`);
console.log(await answer.text());
// → [{"id":1,"region":"EMEA","price":9.5},{"id":3,"region":"EMEA","price":7.25}]
server.close();
server.closeAllConnections();
orders.close();
