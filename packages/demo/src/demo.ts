// `npm run demo`: three million real flights, from Parquet into one .cstore file, then any rows and any columns of it,
// each answer checked against plain JavaScript; the same flights as one .cna file, its sizes, a projection, a filter
// and its inspector; then ten thousand handwritten digits in one .syr file, one by one and in shuffled batches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colstorePart } from './colstore-part.ts';
import { columnaPart } from './columna-part.ts';
import { syrahPart } from './syrah-part.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-demo-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Who stops it with Ctrl-C keeps no files of hundreds of megabytes.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

await colstorePart(folder);
await columnaPart(folder);
await syrahPart(folder);
