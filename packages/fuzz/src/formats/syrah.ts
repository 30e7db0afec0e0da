// .syr: header, BSON metadata of both forms, offsets, sizes and types, changed with lengths right again; journals of
// dead writers; and what users do with items, views, gathers and loaders.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { typed } from '@colkit/table';
import { DataLoader, SyrahConcatDataset, SyrahDataset, createSync, open, openSync, recoverSync } from 'syrah';
import type { ItemInput, SyrahFile } from 'syrah';
import { getNumber, join, mutateBlindly, mutateNumber, putNumber } from '../run/bytes.ts';
import type { Recorder } from '../run/outcome.ts';
import { chance } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { BINARY, DOCUMENT, INT32, INT64, STRING, encodeBson, parseBson } from './bson.ts';
import type { Element } from './bson.ts';
import { EDGE_FLOATS, EDGE_INTEGERS, cycle } from './format.ts';
import type { Format, Seed } from './format.ts';
import { goldenFiles } from './golden.ts';
import { exerciseJournal, isJournal, journalSeed, mutateJournal } from './syrah-journal.ts';

export const SYRAH: Format = { name: 'syrah', makeSeeds, mutate, exercise };

const HEADER_BYTES = 22;
const MOST_ITEMS = 300;
const DTYPES = [
  'bool',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float16',
  'float32',
  'float64',
  'float128',
  'str',
  '<U3',
  '<U0',
  '>U2',
  '<U4294967296',
  'object',
  '',
  'int65',
  'complex64',
];

function makeSeeds(folder: string): readonly Seed[] {
  const seeds: Seed[] = [...goldenFiles('syrah', 'syr', 4000)];
  const items: ItemInput[] = Array.from({ length: 7 }, (_, item) => ({
    words: BigInt64Array.from(cycle(3, EDGE_INTEGERS.slice(item))),
    floats: Float64Array.from(cycle(4, EDGE_FLOATS.slice(item))),
    halves: typed('float16', [0, -0, 1.5, item]),
    octets: Uint8Array.from({ length: item }, (_, i) => i),
    text: ['', 'a', 'é😀'][item % 3] as string,
    flag: typed('bool', [item % 2 === 0]),
    i16: Int16Array.of(item, -item),
  }));
  for (const align of [1, 8]) {
    const path = joinPath(folder, `seed-${String(align)}.syr`);
    const writer = createSync(path, { align, overwrite: true, durability: 'none' });
    for (const item of items) writer.addItemSync(item);
    writer.closeSync();
    seeds.push({ name: `align ${String(align)}`, bytes: new Uint8Array(readFileSync(path)) });
  }
  seeds.push(journalSeed(folder, items));
  return seeds;
}

function mutate(random: Random, { bytes }: Seed, seeds: readonly Seed[]): Uint8Array {
  if (isJournal(bytes)) return mutateJournal(random, bytes);
  const files = seeds.map((seed) => seed.bytes).filter((other) => !isJournal(other));
  if (chance(random, 0.15)) return mutateBlindly(random, bytes, files);
  // The magic comes first, or in the oldest files last.
  const offsetAt = bytes[0] === 0x47 ? 6 : 4;
  const metadataAt = Number(getNumber(bytes, offsetAt, 8));
  let elements = parseBson(bytes.subarray(metadataAt));
  for (let time = chance(random, 0.3) ? random.integer(3) : 0; time >= 0; time -= 1)
    elements = mutatedElements(random, elements, [BigInt(metadataAt), BigInt(bytes.length)]);
  let metadata = encodeBson(elements);
  if (chance(random, 0.08)) metadata = mutateBlindly(random, metadata, [metadata]);
  const file = join([bytes.subarray(0, metadataAt), metadata]);
  putNumber(file, offsetAt + 8, 8, BigInt(metadata.length));
  if (chance(random, 0.12))
    mutateNumber(random, file, offsetAt + 8 * random.integer(2), 8, [BigInt(file.length), BigInt(metadataAt)]);
  if (chance(random, 0.03)) mutateNumber(random, file, random.integer(HEADER_BYTES), 1);
  return file;
}

/** One thing changed: a number in a blob, a length, a name, a type, an element more or less. */
function mutatedElements(random: Random, elements: readonly Element[], near: readonly bigint[]): Element[] {
  if (elements.length === 0) return [{ type: DOCUMENT, name: Uint8Array.of(97), value: [], subtype: 0 }];
  const at = random.integer(elements.length);
  const element = elements[at] as Element;
  const replace = (other: Element): Element[] => elements.map((each, index) => (index === at ? other : each));
  switch (random.integer(12)) {
    case 0:
      return elements.filter((_, index) => index !== at);
    case 1:
      return [...elements, element];
    case 2:
      return replace({
        ...element,
        name: random.pick([
          new Uint8Array(0),
          Uint8Array.of(0xff),
          new TextEncoder().encode('__proto__'),
          new TextEncoder().encode('10'),
          Uint8Array.of(0x1b, 0x5b),
        ]),
      });
    case 3:
      return replace({
        ...element,
        type: random.pick([1, STRING, DOCUMENT, 4, BINARY, 8, 10, INT32, INT64, 19, 0, 255]),
      });
    default:
      return replace(
        Array.isArray(element.value)
          ? { ...element, value: mutatedElements(random, element.value, near) }
          : mutatedValue(random, element, element.value, near),
      );
  }
}

function mutatedValue(random: Random, element: Element, value: Uint8Array, near: readonly bigint[]): Element {
  if (element.type === STRING)
    return {
      ...element,
      value: join([
        new TextEncoder().encode(random.pick(DTYPES)),
        chance(random, 0.95) ? Uint8Array.of(0) : new Uint8Array(0),
      ]),
    };
  const changed = value.slice();
  if (element.type === BINARY) {
    if (chance(random, 0.1)) return { ...element, subtype: random.integer(256) };
    if (chance(random, 0.1))
      return {
        ...element,
        value: chance(random, 0.5)
          ? join([changed, changed.subarray(0, 8)])
          : changed.subarray(0, random.integer(changed.length + 1)),
      };
    if (changed.length >= 8)
      mutateNumber(random, changed, 8 * random.integer(changed.length >>> 3), 8, [...near, getNumber(changed, 0, 8)]);
    return { ...element, value: changed };
  }
  mutateNumber(random, changed, 0, changed.length === 8 ? 8 : 4, near);
  return { ...element, value: changed };
}

async function exercise(recorder: Recorder, path: string, random: Random): Promise<void> {
  const bytes = new Uint8Array(readFileSync(path));
  if (isJournal(bytes)) return exerciseJournal(recorder, path, bytes);
  const step = recorder.step.bind(recorder);
  await recorder.opens('open', async () => (await open(path, { backend: recorder.backend })).close());
  await recoverCopy(recorder, path, bytes);
  const file = await recorder.opens('openSync', () => openSync(path, { backend: recorder.backend }));
  if (file === undefined) return;
  try {
    await step('facts', () => [
      file.itemCount,
      file.keys,
      file.schema,
      file.itemNames,
      file.form,
      file.version,
      file.byteLength,
      file.dataBytes,
    ]);
    await exerciseItems(recorder, file, random);
  } finally {
    file.close();
  }
  await exerciseLoader(recorder, path, random);
}

async function exerciseItems(recorder: Recorder, file: SyrahFile, random: Random): Promise<void> {
  const step = recorder.step.bind(recorder);
  const items = Array.from({ length: Math.min(file.itemCount, 12) }, () => random.integer(file.itemCount));
  for (const [number, item] of [...items.slice(0, 3), -1, file.itemCount].entries()) {
    await step(`getItem ${String(number)}`, () => file.getItem(item));
    await step(`getItemSync ${String(number)}`, () => file.getItemSync(item));
    await step(`getEntries ${String(number)}`, () => file.getEntries(item, { int64: 'number' }));
    await step(`viewItem ${String(number)}`, () => copiedViews(file.viewItem(item)));
  }
  await step('all items', () =>
    file.itemCount > MOST_ITEMS
      ? null
      : Array.from({ length: file.itemCount }, (_, item) => file.getItemSync(item, { transferable: true })),
  );
  if (file.itemNames !== null && file.itemNames.length > 0)
    await step('by name', () => file.getItem(random.pick(file.itemNames ?? [])));
  for (const [number, key] of file.keys.slice(0, 8).entries()) {
    const item = items[0] ?? 0;
    await step(`lengths ${String(number)}`, () => file.lengths(key));
    await step(`getArray ${String(number)}`, () => file.getArray(item, key));
    await step(`getArray as ${String(number)}`, () =>
      file.getArraySync(item, key, { dtype: random.pick(['uint8', 'float64', 'int16', 'str'] as const) }),
    );
    await step(`viewArray ${String(number)}`, () => copiedViews([file.viewArray(item, key)]));
    await step(`gatherItems ${String(number)}`, () => file.gatherItems(items, key));
    await step(`gatherItemsSync ${String(number)}`, () =>
      file.gatherItemsSync(items.slice(0, 1), key, { int64: 'number' }),
    );
  }
  await step('gatherKeys', () => file.gatherKeys(items.slice(0, 1), file.keys));
  await step('fingerprint', () => file.fingerprint());
}

function copiedViews(views: object): unknown {
  return Object.entries(views).map(([name, view]: [string, unknown]) => [
    name,
    ArrayBuffer.isView(view) ? (view as Uint8Array).slice() : view,
  ]);
}

async function exerciseLoader(recorder: Recorder, path: string, random: Random): Promise<void> {
  const step = recorder.step.bind(recorder);
  const dataset = await recorder.opens('dataset', () =>
    SyrahDataset.open(path, undefined, { backend: recorder.backend }),
  );
  if (dataset === undefined) return;
  try {
    if (dataset.length > MOST_ITEMS) return;
    await step('dataset get', () => dataset.get(0));
    for (const collate of ['stack', 'pad', 'list'] as const) {
      await step(`loader ${collate}`, async () => {
        const batches = [];
        const loader = new DataLoader(dataset, {
          batchSize: 3,
          shuffle: true,
          seed: random.integer(9),
          workers: 0,
          collate,
        });
        for await (const batch of loader) batches.push(batch);
        return batches;
      });
    }
    await step('concat', () => new SyrahConcatDataset([dataset, dataset]).getSync(dataset.length));
  } finally {
    dataset.file.close();
  }
}

async function recoverCopy(recorder: Recorder, path: string, bytes: Uint8Array): Promise<void> {
  const folder = `${path}.copy`;
  mkdirSync(folder, { recursive: true });
  try {
    const copy = joinPath(folder, 'copy.syr');
    writeFileSync(copy, bytes);
    await recorder.step('recover', () => {
      const { status, itemCount, lostBytes } = recoverSync(copy);
      return [status, itemCount, lostBytes];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
