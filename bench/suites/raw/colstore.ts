// The questions of the suite `raw` to this repository's colstore, for every way to use it.
import { join } from 'node:path';
import { typed, write } from 'colstore';
import type { ColStore } from 'colstore';
import { asyncTask, syncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Task } from '../../src/checkouts/peer.ts';
import { TEXT_BYTES, WANTED, numberOf, readRaw } from './data.ts';
import { opening } from '../w1-colstore.ts';
import type { Use } from '../w1-colstore.ts';

export function rawColstore(uses: Readonly<Record<string, Use>>): PeerSuite {
  return {
    variants: Object.keys(uses),
    async build(context) {
      const { text, f2, ...others } = readRaw(context);
      const texts = Buffer.from(text.buffer).toString('latin1');
      const strings = Array.from({ length: others.i4.length }, (_, row) =>
        texts.slice(row * TEXT_BYTES, (row + 1) * TEXT_BYTES),
      );
      const columns = { ...others, f2: typed('float16', Float32Array.from(f2, numberOf)), text: typed('S8', strings) };
      for (const layout of ['flat', 'records'] as const)
        await write(pathOf(context, layout), columns, { layout, overwrite: true });
    },
    prepare(variant, context) {
      const use = uses[variant];
      if (use === undefined) throw new Error(`unknown variant ${variant}`);
      const { table, ...workload } = opening(use, pathOf(context, use.file));
      return { ...workload, tasks: use.async ? asyncTasks(table) : syncTasks(table) };
    },
  };
}

const { below, above, key, product, text } = WANTED;
const TWO_TERMS = `f8 > ${String(above)} and i4 == ${String(key)}`;
const ARITHMETIC = `f8 * 2 + i4 > ${String(product)}`;
const BELOW = `i8 < ${String(below)}`;
const TEXT = `text == '${text}'`;
const TEXT_BELOW = `text < '${text}'`;
const MOST_TEXT = { most: { max: 'text' } } as const;
const SUM = { sum: { sum: 'f8' } } as const;

function syncTasks(table: () => ColStore): Record<string, Task> {
  return {
    'sum-f8': syncTask(() => table().column('f8').sumSync(), value),
    'sum-f4': syncTask(() => table().column('f4').sumSync(), value),
    'sum-f2': syncTask(() => table().column('f2').sumSync(), value),
    'sum-i8': syncTask(() => table().column('i8').sumSync(), value),
    'sum-i4': syncTask(() => table().column('i4').sumSync(), value),
    'max-f8': syncTask(() => table().column('f8').maxSync(), value),
    'max-f4': syncTask(() => table().column('f4').maxSync(), value),
    'min-i8': syncTask(() => table().column('i8').minSync(), value),
    'below-i8': syncTask(() => table().where(BELOW).countSync(), value),
    'two-terms': syncTask(() => table().where(TWO_TERMS).countSync(), value),
    arithmetic: syncTask(() => table().where(ARITHMETIC).countSync(), value),
    text: syncTask(() => table().where(TEXT).countSync(), value),
    'text-below': syncTask(() => table().where(TEXT_BELOW).countSync(), value),
    'max-text': syncTask(() => table().column('text').maxSync(), letters),
    'max-text-by-i4': syncTask(() => table().groupBy('i4').aggSync(MOST_TEXT).columns, textGroups),
    'sum-where': syncTask(() => table().where('f4 > 0').aggSync(SUM)['sum'], value),
    'by-i4': syncTask(() => table().groupBy('i4').aggSync(SUM).columns, groups),
    'by-text': syncTask(() => table().groupBy('text').aggSync(SUM).columns, groups),
  };
}

function asyncTasks(table: () => ColStore): Record<string, Task> {
  return {
    'sum-f8': asyncTask(() => table().column('f8').sum(), value),
    'sum-f4': asyncTask(() => table().column('f4').sum(), value),
    'sum-f2': asyncTask(() => table().column('f2').sum(), value),
    'sum-i8': asyncTask(() => table().column('i8').sum(), value),
    'sum-i4': asyncTask(() => table().column('i4').sum(), value),
    'max-f8': asyncTask(() => table().column('f8').max(), value),
    'max-f4': asyncTask(() => table().column('f4').max(), value),
    'min-i8': asyncTask(() => table().column('i8').min(), value),
    'below-i8': asyncTask(() => table().where(BELOW).count(), value),
    'two-terms': asyncTask(() => table().where(TWO_TERMS).count(), value),
    arithmetic: asyncTask(() => table().where(ARITHMETIC).count(), value),
    text: asyncTask(() => table().where(TEXT).count(), value),
    'text-below': asyncTask(() => table().where(TEXT_BELOW).count(), value),
    'max-text': asyncTask(() => table().column('text').max(), letters),
    'max-text-by-i4': asyncTask(async () => (await table().groupBy('i4').agg(MOST_TEXT)).columns, textGroups),
    'sum-where': asyncTask(async () => (await table().where('f4 > 0').agg(SUM))['sum'], value),
    'by-i4': asyncTask(async () => (await table().groupBy('i4').agg(SUM)).columns, groups),
    'by-text': asyncTask(async () => (await table().groupBy('text').agg(SUM)).columns, groups),
  };
}

/** One number, whatever its type. */
function value(found: unknown): Outputs {
  return { value: Float64Array.of(Number(found)) };
}

/** A text as its bytes. */
function letters(found: unknown): Outputs {
  return { value: Buffer.from(String(found), 'latin1') };
}

/** The texts by ascending keys. */
function textGroups(columns: object): Outputs {
  const { i4, most } = columns as { readonly i4: Int32Array; readonly most: readonly unknown[] };
  const order = Array.from(i4, (_, group) => group).sort((one, other) => (i4[one] ?? 0) - (i4[other] ?? 0));
  return letters(order.map((group) => String(most[group])).join());
}

/** The sums by ascending keys. */
function groups(columns: object): Outputs {
  const { sum, ...by } = columns as Readonly<Record<string, ArrayLike<number | string>>>;
  const [keys = []] = Object.values(by);
  const order = Array.from(keys, (_, group) => group).sort((one, other) =>
    (keys[one] as string | number) < (keys[other] as string | number) ? -1 : 1,
  );
  return { sums: Float64Array.from(order, (group) => Number(sum?.[group])) };
}

function pathOf({ ownDirectory }: SuiteContext, layout: Use['file']): string {
  return join(ownDirectory, `raw-${layout}.cstore`);
}
