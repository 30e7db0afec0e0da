// The table of the description on 50,000 synthetic orders in ten row groups: what the file takes, what one column and one filter read. `node demo/size-table.mjs` in this folder, after a build.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scan, typed, write } from 'columna';
import { orderColumns, orderCsv } from './orders.mjs';

const ROWS = 50_000;
const folder = mkdtempSync(join(tmpdir(), 'columna-demo-'));
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} KB`;

try {
  const csv = join(folder, 'orders.csv');
  writeFileSync(csv, orderCsv(ROWS));
  const { ts, ...others } = orderColumns(ROWS);
  const path = join(folder, 'orders.cna');
  const report = await write(path, { ...others, ts: typed('datetime64[us]', ts) }, { rowGroupSize: ROWS / 10 });
  const one = await scan(path, { columns: ['amount'] });
  const filtered = await scan(path, { columns: ['order_id', 'amount'], where: 'amount > 4500' });
  console.log(`CSV                        ${kilobytes(statSync(csv).size)}`);
  console.log(`.cna                       ${kilobytes(report.byteLength)}`);
  console.log(`reading one column of seven${kilobytes(one.stats.bytesRead)}`);
  console.log(`filter amount > 4500       ${kilobytes(filtered.stats.bytesRead)}   ${filtered.summary()}`);
  console.log('\ncolumn          bytes  encodings');
  for (const { name, byteLength, encodings } of report.columns) console.log(`${name.padEnd(12)}${String(byteLength).padStart(9)}  ${[...encodings].map(([encoding, pages]) => `${encoding} × ${pages}`).join(', ')}`);
} finally {
  rmSync(folder, { recursive: true });
}
