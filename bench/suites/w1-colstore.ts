// W1's tasks through the public face of this repository's colstore, for every way to use it: what users would type,
// view by view.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { open, openSync, write } from 'colstore';
import type { ColStore } from 'colstore';
import { asyncTask, syncTask } from '../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Task, Workload } from '../src/checkouts/peer.ts';
import { COLUMN_NAMES, metadataBytes, readColumns, readInputs } from './w1-data.ts';
import type { W1Inputs } from './w1-data.ts';

const FILES = 1000;

/** One way to use the library. */
export interface Use {
  /** `files`: many files in a folder, as one table. */
  readonly file: 'flat' | 'records' | 'files';
  readonly async: boolean;
  readonly backend: 'native' | 'js';
  readonly maxWorkers: number;
}

export function w1Colstore(uses: Readonly<Record<string, Use>>): PeerSuite {
  return {
    variants: Object.keys(uses),
    async build(context) {
      const columns = readColumns(context);
      for (const layout of ['flat', 'records'] as const)
        await write(tablePath(context, layout), { ...columns }, { layout, overwrite: true });
      await mkdir(tablePath(context, 'files'), { recursive: true });
      const rows = Math.ceil(columns.price.length / FILES);
      for (const [file, path] of filesOf(context, 'files').entries()) {
        const some = COLUMN_NAMES.map(
          (name) => [name, columns[name].subarray(file * rows, (file + 1) * rows)] as const,
        );
        await write(path, new Map(some), { layout: 'records', overwrite: true });
      }
    },
    prepare(variant, context) {
      const use = uses[variant];
      if (use === undefined) throw new Error(`unknown variant ${variant}`);
      return prepare(use, context);
    },
  };
}

/** A file that is opened as the variant says: what a workload needs but for its tasks. */
export function opening(
  use: Use,
  path: string,
  files: readonly string[] = [path],
): Omit<Workload, 'tasks'> & { readonly table: () => ColStore } {
  let opened: ColStore | undefined;
  return {
    table: () => opened as ColStore,
    files,
    load: async () => {
      opened = use.async ? await open(path, optionsOf(use)) : openSync(path, optionsOf(use));
    },
    close: () => opened?.close(),
  };
}

function optionsOf({ backend, maxWorkers }: Use): Pick<Use, 'backend' | 'maxWorkers'> {
  return { backend, maxWorkers };
}

function prepare(use: Use, context: SuiteContext): Workload {
  const inputs = readInputs(context);
  const path = tablePath(context, use.file);
  const options = optionsOf(use);
  const { table, ...workload } = opening(use, path, filesOf(context, use.file));
  return {
    ...workload,
    tasks: {
      ...(use.async ? asyncTasks(table, inputs) : syncTasks(table, inputs)),
      // Without the addon nothing is mapped, and what is not mapped has no views; rows of many files lie apart.
      ...(use.backend === 'native' && use.file !== 'files' ? viewTasks(table, inputs) : {}),
      'f-open': use.async
        ? asyncTask(async () => readMetadata(await open(path, options)), metadata)
        : syncTask(() => readMetadata(openSync(path, options)), metadata),
    },
  };
}

function syncTasks(table: () => ColStore, inputs: W1Inputs): Record<string, Task> {
  const out = reusedArrays(inputs);
  const { start, end } = inputs.slice;
  return {
    'a-new': syncTask(() => table().select('price', 'qty').take(inputs.random).toColumnsSync(), outputs),
    'a-into': syncTask(() => table().select('price', 'qty').take(inputs.random).toColumnsSync({ out }), outputs),
    'b-new': syncTask(() => table().select('price', 'qty').take(inputs.sorted).toColumnsSync(), outputs),
    'b-into': syncTask(() => table().select('price', 'qty').take(inputs.sorted).toColumnsSync({ out }), outputs),
    'c-copy': syncTask(() => table().select('price', 'qty').slice(start, end).toColumnsSync(), outputs),
    'd-copy': syncTask(() => table().column('price').toArraySync(), price),
    'e-small': syncTask((iteration) => table().take(smallSet(inputs, iteration)).toColumnsSync(), outputs),
    'g-mask': syncTask(() => table().select('price', 'qty').filter(inputs.mask).toColumnsSync(), outputs),
  };
}

function asyncTasks(table: () => ColStore, inputs: W1Inputs): Record<string, Task> {
  const out = reusedArrays(inputs);
  const { start, end } = inputs.slice;
  return {
    'a-new': asyncTask(() => table().select('price', 'qty').take(inputs.random).toColumns(), outputs),
    'a-into': asyncTask(() => table().select('price', 'qty').take(inputs.random).toColumns({ out }), outputs),
    'b-new': asyncTask(() => table().select('price', 'qty').take(inputs.sorted).toColumns(), outputs),
    'b-into': asyncTask(() => table().select('price', 'qty').take(inputs.sorted).toColumns({ out }), outputs),
    'c-copy': asyncTask(() => table().select('price', 'qty').slice(start, end).toColumns(), outputs),
    'd-copy': asyncTask(() => table().column('price').toArray(), price),
    'e-small': asyncTask((iteration) => table().take(smallSet(inputs, iteration)).toColumns(), outputs),
    'g-mask': asyncTask(() => table().select('price', 'qty').filter(inputs.mask).toColumns(), outputs),
  };
}

/** What never copies is plain in both forms. */
function viewTasks(table: () => ColStore, inputs: W1Inputs): Record<string, Task> {
  const { start, end } = inputs.slice;
  return {
    'c-view': syncTask(() => table().select('price', 'qty').slice(start, end).viewColumns(), outputs),
    'd-view': syncTask(() => table().column('price').viewArray(), price),
  };
}

function readMetadata(table: ColStore): { rowCount: number; names: string[]; dtypes: string[] } {
  const fields = table.schema.map(({ name, dtype }) => ({ name, dtype }));
  const found = {
    rowCount: table.rowCount,
    names: fields.map(({ name }) => name),
    dtypes: fields.map(({ dtype }) => dtype),
  };
  table.close();
  return found;
}

function metadata({ rowCount, names, dtypes }: ReturnType<typeof readMetadata>): Outputs {
  return { metadata: metadataBytes(rowCount, names, dtypes) };
}

function reusedArrays({ random }: W1Inputs): { price: Float64Array; qty: Int32Array } {
  return { price: new Float64Array(random.length), qty: new Int32Array(random.length) };
}

function smallSet({ smallSets }: W1Inputs, iteration: number): Int32Array {
  return smallSets[iteration % smallSets.length] as Int32Array;
}

function outputs(columns: object): Outputs {
  return columns as Outputs;
}

function price(array: unknown): Outputs {
  return { price: array as ArrayBufferView };
}

function tablePath({ ownDirectory }: SuiteContext, file: Use['file']): string {
  return join(ownDirectory, file === 'files' ? file : `${file}.cstore`);
}

function filesOf(context: SuiteContext, file: Use['file']): readonly string[] {
  const path = tablePath(context, file);
  if (file !== 'files') return [path];
  return Array.from({ length: FILES }, (_, number) => join(path, `part_${String(number)}.cstore`));
}
