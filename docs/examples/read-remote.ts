import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { open, write } from 'colstore';

await write('t.cstore', { price: Float64Array.of(9.5, 12, 7.25) });
const bytes = readFileSync('t.cstore');
let failures = 2;
const server = createServer(({ url: path = '', headers }, response) => {
  const isSigned = headers['x-signature'] !== undefined || path.endsWith('signature=2');
  if (path.includes('private') && !isSigned) response.writeHead(403).end();
  else if (failures-- > 0) response.writeHead(503, { 'retry-after': '0' }).end();
  else {
    const range = `bytes 0-${String(bytes.length - 1)}/${String(bytes.length)}`;
    response.writeHead(206, { 'content-range': range, etag: '"1"' }).end(bytes);
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const host = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
const key = 'a secret';
const presign = async (): Promise<string> => Promise.resolve(`${host}/private.cstore?signature=2`);

// #region open
const table = await open(`${host}/t.cstore`, {
  headers: { authorization: 'Bearer 8f3a' },
  retry: { attempts: 5, baseMs: 100 },
  timeoutMs: 10_000,
  totalTimeoutMs: 60_000,
});
// #endregion open
console.log(await table.column('price').at(1));
// → 12

// #region sign
const signed = await open(`${host}/private.cstore`, {
  sign: ({ url, headers }) => {
    const text = `${url} ${headers['range'] ?? ''}`;
    return { headers: { 'x-signature': createHmac('sha256', key).update(text).digest('hex') } };
  },
});
// #endregion sign
console.log(signed.rowCount);
// → 3

// #region renew
const expired = `${host}/private.cstore?signature=1`;
const renewed = await open(expired, { renew: () => presign() });
// #endregion renew
console.log(renewed.rowCount);
// → 3

// #region cache
const cached = await open(`${host}/t.cstore`, { cache: { folder: 'cache', bytes: 32 * 2 ** 20 } });
// #endregion cache
console.log(await cached.column('price').at(2));
// → 7.25
for (const each of [table, signed, renewed, cached]) each.close();
server.close();
