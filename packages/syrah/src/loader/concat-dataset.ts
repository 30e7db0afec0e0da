// Several datasets as one: samples by a running index, their arrays aligned by key.
import { ArgumentError, describeValue } from '@colkit/io';
import { foldIndex } from '../items/list-arguments.ts';
import { Starts } from '../shards/starts.ts';
import { SyrahDataset, SyrahSamples, joinTexts } from './dataset.ts';
import type { DatasetPart, ReadPlan } from './dataset.ts';
import { alignSamples, joinFields } from './sample-fields.ts';
import type { ValueOrder, SampleFields } from './sample-fields.ts';
import type { SampleContext } from './sample.ts';

/**
 * Several datasets as one, in their order. Samples are aligned by key to those of the first dataset, whatever the order
 * of the keys in the others.
 */
export class SyrahConcatDataset<
  Sample extends readonly unknown[] = readonly unknown[],
  Keys extends readonly string[] = readonly string[],
> extends SyrahSamples<Sample, Keys> {
  /** Frozen. */
  readonly datasets: readonly SyrahSamples<Sample, Keys>[];
  readonly length: number;
  /** Of the first dataset, as its samples are; none where one of the datasets tells none. */
  declare readonly keys?: Keys;
  readonly #starts: Starts;
  /** Which values of each dataset's samples are those of the first dataset's. */
  readonly #orders: readonly ValueOrder[];

  /**
   * @throws ArgumentError ERR_SCHEMA where a dataset has other keys, or another dtype of one, than the first: with file
   * and key; ERR_ARGUMENT for a part of a set beside the dataset of the whole set, which its first part opens.
   */
  constructor(datasets: readonly SyrahSamples<Sample, Keys>[]) {
    super();
    const given: unknown = datasets;
    if (!Array.isArray(given) || !given.every((dataset) => dataset instanceof SyrahSamples))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'datasets',
        "a list of this package's datasets",
        describeNoDatasets(given),
      );
    requirePartsOnce(datasets);
    this.datasets = Object.freeze([...datasets]);
    this.#orders = alignSamples(datasets.map((dataset) => dataset.sampleFields()));
    this.#starts = new Starts(datasets.map(({ length }) => length));
    this.length = this.#starts.length;
    const keys = keysOfAll(this.datasets);
    if (keys !== undefined) this.keys = keys;
  }

  override get shardLengths(): readonly number[] {
    return this.datasets.flatMap((dataset) => dataset.shardLengths ?? [dataset.length]);
  }

  async get(index: number, context?: SampleContext): Promise<Sample> {
    const { number, rest } = this.#find(foldIndex(index, this.length, 'index'));
    const sample = await (this.datasets[number] as SyrahSamples).get(rest, context);
    return inOrder(sample, this.#orders[number] ?? null) as Sample;
  }

  getSync(index: number, context?: SampleContext): Sample {
    const { number, rest } = this.#find(foldIndex(index, this.length, 'index'));
    const sample = (this.datasets[number] as SyrahSamples).getSync(rest, context);
    return inOrder(sample, this.#orders[number] ?? null) as Sample;
  }

  fingerprint(signal?: AbortSignal): string | Promise<string> {
    return joinTexts(this.datasets.map((dataset) => dataset.fingerprint(signal)));
  }

  readPlan(): ReadPlan | null {
    const plans = this.datasets.map((dataset) => dataset.readPlan());
    if (plans.includes(null)) return null;
    let count = 0;
    const firstParts = plans.map((plan) => {
      const first = count;
      count += plan?.parts.length ?? 0;
      return first;
    });
    return {
      parts: plans.flatMap((plan, number) =>
        (plan?.parts ?? []).map((part) => partInOrder(part, this.#orders[number] ?? null)),
      ),
      locate: (index) => {
        const { number, rest } = this.#find(index);
        const { part, item } = plans[number]?.locate(rest) ?? { part: 0, item: 0 };
        return { part: (firstParts[number] ?? 0) + part, item };
      },
    };
  }

  override sampleFields(): SampleFields | null {
    const fields = this.datasets.map((dataset) => dataset.sampleFields());
    return joinFields(fields.filter((each, k) => each !== null || this.datasets[k]?.length !== 0));
  }

  close(): void {
    for (const dataset of this.datasets) dataset.close();
  }

  #find(index: number): { number: number; rest: number } {
    const number = this.#starts.find(index);
    return { number, rest: index - this.#starts.of(number) };
  }
}

/** Those of files without items do not count: they know none. */
function keysOfAll<Keys extends readonly string[]>(
  datasets: readonly SyrahSamples<readonly unknown[], Keys>[],
): Keys | undefined {
  const all = datasets.filter(({ length, keys }) => length > 0 || (keys?.length ?? 0) > 0).map(({ keys }) => keys);
  return all.includes(undefined) ? undefined : all[0];
}

function inOrder(sample: readonly unknown[], order: ValueOrder): readonly unknown[] {
  return order === null ? sample : order.map((index) => sample[index]);
}

function partInOrder(part: DatasetPart, order: ValueOrder): DatasetPart {
  if (order === null) return part;
  const { file, keys, process } = part;
  return { file, keys: order.map((index) => keys[index] ?? ''), process: order.map((index) => process[index] ?? null) };
}

function describeNoDatasets(given: unknown): string {
  if (!Array.isArray(given)) return describeValue(given);
  const index = given.findIndex((dataset) => !(dataset instanceof SyrahSamples));
  return `${describeValue(given[index])} at position ${String(index)}`;
}

/** The first part of a set opens all of it: to open each path by itself would count the others twice. */
function requirePartsOnce(datasets: readonly SyrahSamples[]): void {
  const files = datasets.map((dataset) => (dataset instanceof SyrahDataset ? dataset.file : null));
  const wholes = new Map(files.flatMap((file) => (file !== null && 'set' in file ? [[file.set, file.path]] : [])));
  for (const [position, file] of files.entries()) {
    if (file === null || !('part' in file) || file.part === null || file.part.number === 0) continue;
    const whole = wholes.get(file.part.set);
    if (whole === undefined) continue;
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'datasets',
      `each part of a set once, and ${whole} are all of it`,
      `${file.path}, one of them, at position ${String(position)}`,
    );
  }
}
