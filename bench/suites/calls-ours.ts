// The tasks of `calls` as users would type them.
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';
import { asyncTask, syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Task, Workload } from '../src/checkouts/peer.ts';
import { uniform } from './uniform.ts';

export interface Use {
  readonly async: boolean;
  /** How files are opened. */
  readonly io: 'auto' | 'pread';
}

const SETS = 1024;
const CACHED = { overwrite: true, durability: 'none' } as const;
const ON_DISK = { overwrite: true } as const;
const WHERE = 'qty > 500 and region == "EMEA"';

interface Files {
  readonly table: string;
  /** As many rows as the table has. */
  readonly rows: string;
  readonly file: string;
  readonly items: string;
}

interface Opened {
  readonly table: colstore.ColStore;
  readonly rows: columna.Table;
  readonly items: syrah.SyrahFile;
}

/** Row numbers, other ones each time. */
interface Rows {
  one(iteration: number): number;
  ten(iteration: number): Int32Array;
  hundred(iteration: number): Int32Array;
  item(iteration: number): number;
}

export function smallCalls(uses: Readonly<Record<string, Use>>): PeerSuite {
  return {
    variants: Object.keys(uses),
    async build(context) {
      const files = filesOf(context.ownDirectory);
      const { rows = 0, fileRows = 0, items = 0 } = context.parameters;
      await colstore.write(files.table, wideColumns(rows), ON_DISK);
      await columna.write(files.rows, narrowColumns(rows), ON_DISK);
      await columna.write(files.file, narrowColumns(fileRows), ON_DISK);
      writeItems(files.items, items, ON_DISK);
    },
    prepare: (variant, context) => prepare(uses[variant] as Use, context),
  };
}

function prepare({ async, io }: Use, context: SuiteContext): Workload {
  const files = filesOf(context.ownDirectory);
  let opened: Opened | null = null;
  const current = (): Opened => opened as Opened;
  const rows = rowsOf(context.parameters);
  return {
    files: Object.values(files),
    load: () => {
      opened = {
        table: colstore.openSync(files.table, { io }),
        rows: columna.openSync(files.rows, { io }),
        items: syrah.openSync(files.items, { io }),
      };
    },
    tasks: {
      ...(async ? asyncReads(current, rows, files) : syncReads(current, rows, files, io)),
      ...(io === 'pread' ? {} : writes(async, context)),
      ...(io === 'pread' || async ? {} : views(current, rows)),
    },
    close: () => {
      opened?.table.close();
      opened?.rows.close();
      opened?.items.close();
    },
  };
}

function syncReads(
  opened: () => Opened,
  { one, ten, hundred, item }: Rows,
  { table, file, items }: Files,
  io: Use['io'],
): Record<string, Task> {
  return {
    'column-at': syncTask((i) => opened().table.column('price').atSync(one(i)), value),
    'get-1': syncTask((i) => opened().table.get(one(i)).toColumnsSync(), arrays),
    'get-10': syncTask((i) => opened().table.get(ten(i)).toColumnsSync(), arrays),
    'take-100': syncTask((i) => opened().table.select('price', 'qty').take(hundred(i)).toColumnsSync(), arrays),
    'rows-10': syncTask((i) => opened().table.take(ten(i)).toRowsSync(), text),
    'open-colstore': syncTask((i) => {
      using store = colstore.openSync(table, { io });
      return store.column('price').atSync(one(i));
    }, value),
    'read-small': syncTask(() => columna.readSync(file, { columns: ['id', 'price', 'qty'] }), arrays),
    'scan-small': syncTask(() => columna.scanSync(file, { where: WHERE, columns: ['id', 'price'] }).columns, arrays),
    'batches-100': syncTask(() => {
      let total = 0;
      for (const { qty } of opened().rows.batchesSync({ rows: 100 })) total += lastOf(qty);
      return total;
    }, value),
    'first-matches': syncTask(() => opened().rows.where(WHERE).head(10).toRowsSync(), text),
    'open-syrah': syncTask((i) => {
      using store = syrah.openSync(items, { io });
      return store.getItemSync(item(i));
    }, arrays),
    item: syncTask((i) => opened().items.getItemSync(item(i)), arrays),
    array: syncTask(
      (i) => opened().items.getArraySync(item(i), 'label'),
      (label) => ({ label: label as Int32Array }),
    ),
  };
}

function asyncReads(
  opened: () => Opened,
  { one, ten, hundred, item }: Rows,
  { table, file, items }: Files,
): Record<string, Task> {
  return {
    'column-at': asyncTask((i) => opened().table.column('price').at(one(i)), value),
    'get-1': asyncTask((i) => opened().table.get(one(i)).toColumns(), arrays),
    'get-10': asyncTask((i) => opened().table.get(ten(i)).toColumns(), arrays),
    'take-100': asyncTask((i) => opened().table.select('price', 'qty').take(hundred(i)).toColumns(), arrays),
    'rows-10': asyncTask((i) => opened().table.take(ten(i)).toRows(), text),
    'open-colstore': asyncTask(async (i) => {
      await using store = await colstore.open(table);
      return await store.column('price').at(one(i));
    }, value),
    'read-small': asyncTask(() => columna.read(file, { columns: ['id', 'price', 'qty'] }), arrays),
    'scan-small': asyncTask(
      async () => (await columna.scan(file, { where: WHERE, columns: ['id', 'price'] })).columns,
      arrays,
    ),
    'batches-100': asyncTask(async () => {
      let total = 0;
      for await (const { qty } of opened().rows.batches({ rows: 100 })) total += lastOf(qty);
      return total;
    }, value),
    'first-matches': asyncTask(() => opened().rows.where(WHERE).head(10).toRows(), text),
    'open-syrah': asyncTask(async (i) => {
      await using store = await syrah.open(items);
      return await store.getItem(item(i));
    }, arrays),
    item: asyncTask((i) => opened().items.getItem(item(i)), arrays),
    array: asyncTask(
      (i) => opened().items.getArray(item(i), 'label'),
      (label) => ({ label: label as Int32Array }),
    ),
  };
}

function views(opened: () => Opened, { one }: Rows): Record<string, Task> {
  return {
    'view-slice': syncTask(
      (i) =>
        opened()
          .table.slice(one(i), one(i) + 100)
          .viewColumns(),
      arrays,
    ),
    'view-column': syncTask(
      () => opened().table.column('price').viewArray(),
      (view) => ({ view }),
    ),
  };
}

/** Each writes over the file of its last run, which is a few kilobytes. */
function writes(
  async: boolean,
  { ownDirectory, parameters: { writtenRows = 0, writtenItems = 0 } }: SuiteContext,
): Record<string, Task> {
  const columns = narrowColumns(writtenRows);
  const numbers = { id: columns.id, price: columns.price, qty: columns.qty };
  const { table, file, items } = filesOf(ownDirectory, `written-${String(process.pid)}-`);
  const written = {
    table: () => readBack(colstore.openSync(table)),
    file: () => readBack(columna.openSync(file)),
    items: () => readItems(items),
  };
  const both = (
    run: (options: typeof ON_DISK | typeof CACHED) => Promise<unknown>,
    runSync: (options: typeof ON_DISK | typeof CACHED) => unknown,
    outputs: () => Outputs,
  ): [Task, Task] => [
    async ? asyncTask(() => run(ON_DISK), outputs) : syncTask(() => runSync(ON_DISK), outputs),
    async ? asyncTask(() => run(CACHED), outputs) : syncTask(() => runSync(CACHED), outputs),
  ];
  const store = both(
    (options) => colstore.write(table, numbers, options),
    (options) => colstore.writeSync(table, numbers, options),
    written.table,
  );
  const cna = both(
    (options) => columna.write(file, columns, options),
    (options) => columna.writeSync(file, columns, options),
    written.file,
  );
  const syr = both(
    (options) => writeItemsAsync(items, writtenItems, options),
    (options) => writeItems(items, writtenItems, options),
    written.items,
  );
  return {
    'write-colstore': store[0],
    'write-colstore-cached': store[1],
    'write-columna': cna[0],
    'write-columna-cached': cna[1],
    'write-syrah': syr[0],
    'write-syrah-cached': syr[1],
  };
}

function wideColumns(
  rows: number,
): Record<string, Float64Array | Int32Array | BigInt64Array | Float32Array | Uint8Array> {
  const number = uniform(21);
  return {
    price: new Float64Array(rows).map(() => Math.round(number() * 1e6) / 100),
    qty: new Int32Array(rows).map(() => Math.floor(number() * 1000)),
    ts: new BigInt64Array(rows).map((_, row) => BigInt(row) * 1000n),
    score: new Float32Array(rows).map(number),
    flag: new Uint8Array(rows).map((_, row) => row % 4),
  };
}

function narrowColumns(rows: number): { id: Int32Array; price: Float64Array; qty: Int32Array; region: string[] } {
  const number = uniform(22);
  return {
    id: Int32Array.from({ length: rows }, (_, row) => row),
    price: new Float64Array(rows).map(() => Math.round(number() * 1e6) / 100),
    qty: new Int32Array(rows).map(() => Math.floor(number() * 1000)),
    region: Array.from({ length: rows }, (_, row) => ['EMEA', 'APAC', 'AMER'][row % 3] as string),
  };
}

function itemOf(number: number): Record<'image' | 'label' | 'weight', Uint8Array | Int32Array | Float32Array> {
  return {
    image: new Uint8Array(784).map((_, k) => (k * 7 + number) & 255),
    label: Int32Array.of(number),
    weight: new Float32Array(16).fill(number),
  };
}

function writeItems(path: string, count: number, options: syrah.CreateOptions): void {
  const writer = syrah.createSync(path, options);
  for (let i = 0; i < count; i++) writer.addItemSync(itemOf(i));
  writer.closeSync();
}

async function writeItemsAsync(path: string, count: number, options: syrah.CreateOptions): Promise<void> {
  const writer = await syrah.create(path, options);
  for (let i = 0; i < count; i++) await writer.addItem(itemOf(i));
  await writer.close();
}

function rowsOf({ rows = 0, items = 0 }: SuiteContext['parameters']): Rows {
  const number = uniform(23);
  const sets = (length: number): Int32Array[] =>
    Array.from({ length: SETS }, () => new Int32Array(length).map(() => Math.floor(number() * (rows - 100))));
  const [ten, hundred] = [sets(10), sets(100)];
  const at = (all: readonly Int32Array[], iteration: number): Int32Array => all[iteration % SETS] as Int32Array;
  return {
    one: (i) => at(ten, i)[0] as number,
    ten: (i) => at(ten, i),
    hundred: (i) => at(hundred, i),
    item: (i) => (i * 37) % items,
  };
}

function filesOf(folder: string, prefix = ''): Files {
  return {
    table: join(folder, `${prefix}table.cstore`),
    rows: join(folder, `${prefix}rows.cna`),
    file: join(folder, `${prefix}file.cna`),
    items: join(folder, `${prefix}items.syr`),
  };
}

function readBack(table: colstore.ColStore | columna.Table): Outputs {
  try {
    return arrays(table.select('id', 'price', 'qty').toColumnsSync());
  } finally {
    table.close();
  }
}

function readItems(path: string): Outputs {
  using file = syrah.openSync(path);
  return { ...arrays(file.getItemSync(file.itemCount - 1)), count: Int32Array.of(file.itemCount) };
}

function lastOf(numbers: unknown): number {
  return (numbers as Int32Array).at(-1) ?? 0;
}

function arrays(found: object): Outputs {
  return { ...found } as Outputs;
}

function value(found: unknown): Outputs {
  return { value: Float64Array.of(Number(found)) };
}

function text(found: unknown): Outputs {
  return {
    text: new TextEncoder().encode(
      JSON.stringify(found, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)),
    ),
  };
}
