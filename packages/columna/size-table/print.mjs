// Prints the description's table of 50,000 orders, ours and the description's figures beside each other. Exits with 1
// where ours is worse on any line. `pnpm --filter columna run size-table`, after a build.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scan, typed, write } from 'columna';
import { orderCsv } from '@colkit/testkit/orders';
import { compare, measure } from './figures.mjs';

const folder = mkdtempSync(join(tmpdir(), 'columna-size-table-'));
try {
  const csv = join(folder, 'orders.csv');
  writeFileSync(csv, orderCsv(50_000));
  const figures = await measure({ write, scan, typed }, join(folder, 'orders.cna'));
  const { lines, worse } = compare(figures);
  console.log(
    `50,000 orders in ten row groups; as CSV ${(statSync(csv).size / 1000).toFixed(1)} KB (described: 2592 KB)\n`,
  );
  console.log(lines.join('\n'));
  console.log('\ncolumn          bytes  encodings');
  for (const { name, byteLength, encodings } of figures.report.columns)
    console.log(
      `${name.padEnd(12)}${String(byteLength).padStart(9)}  ` +
        `${[...encodings].map(([encoding, pages]) => `${encoding} × ${pages}`).join(', ')}`,
    );
  for (const each of worse) console.error(each);
  process.exitCode = worse.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
