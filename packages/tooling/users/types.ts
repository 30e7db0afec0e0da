// A program of a user in TypeScript, which compilers of every setting take: what is written and opened is typed.
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';

/** What a sink holds goes into a `Blob`, and its memory to another thread. */
export function sent(sink: columna.MemorySink): Blob {
  const bytes = sink.bytes();
  const whole: ArrayBuffer = bytes.buffer;
  return new Blob(whole.byteLength > 0 ? [bytes] : []);
}

export async function sums(path: string): Promise<number[]> {
  using store = await colstore.open(`${path}.cstore`, { expect: { price: 'float64' } });
  let price = 0;
  for (const each of (await store.toColumns()).price) price += each;
  const columns = await columna.read(`${path}.cna`, { expect: { id: 'int64' } });
  const last: bigint | undefined = columns.id.at(-1);
  // @ts-expect-error there is no such column
  store.column('nope');
  const expect = { features: 'float32', label: 'int64' } as const;
  const dataset = await syrah.SyrahDataset.open(`${path}.syr`, ['features', 'label'], { expect });
  for await (const [features, label] of new syrah.DataLoader(dataset, { batchSize: 2, cast: { label: 'int32' } })) {
    const [x, y]: [Float32Array, Int32Array] = [features.data, label.data];
    price += x.length + y.length;
  }
  dataset.close();
  return [price, Number(last)];
}
