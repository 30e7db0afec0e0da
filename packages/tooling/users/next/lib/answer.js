// What the server component and the route handler tell: what files of all formats hold that were written just now.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendInfo, open, write } from 'colstore';
import { read, write as writeColumna } from 'columna';
import { DataLoader, SyrahDataset, create } from 'syrah';

export async function answer() {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-next-'));
  try {
    await write(join(folder, 'a.cstore'), { x: Float64Array.of(1, 2, 3) });
    const table = await open(join(folder, 'a.cstore'));
    const sum = await table.column('x').sum();
    table.close();
    await writeColumna(join(folder, 'a.cna'), { x: Int32Array.of(1, 2, 3) });
    const { x } = await read(join(folder, 'a.cna'));
    const writer = await create(join(folder, 'a.syr'));
    for (let i = 0; i < 8; i++) await writer.addItem({ x: Float32Array.of(i) });
    await writer.close();
    const dataset = await SyrahDataset.open(join(folder, 'a.syr'), ['x']);
    let items = 0;
    for await (const [batch] of new DataLoader(dataset, { batchSize: 4, workers: 1 })) items += batch.data.length;
    return { sum, read: x.length, items, backend: backendInfo().backend };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
