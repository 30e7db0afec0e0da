// The thousand files through columna's openDataset.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from 'columna';
import { asyncTask } from '../../src/checkouts/peer.ts';
import type { PeerSuite, SuiteContext } from '../../src/checkouts/peer.ts';
import { datasetRows, narrowRange } from './dataset.ts';
import { countOutputs, groupOutputs, pairOutputs, sumOutputs } from './outputs.ts';

export function datasetColumna(): PeerSuite {
  return {
    variants: ['folder', 'kept'],
    async build(context) {
      const { writeSync } = await import('columna');
      const { files = 0, fileRows = 0 } = context.parameters;
      const folder = folderOf(context);
      mkdirSync(folder, { recursive: true });
      for (let file = 0; file < files; file += 1)
        writeSync(
          join(folder, `part-${String(file).padStart(4, '0')}.cna`),
          datasetRows(file * fileRows, (file + 1) * fileRows),
          { overwrite: true, durability: 'none' },
        );
    },
    async prepare(variant, context) {
      // Older checkouts, which are compared with, have none.
      const { openDataset } = await import('columna');
      const folder = folderOf(context);
      let kept: Dataset | null = null;
      const over = async <T>(ask: (dataset: Dataset) => Promise<T>): Promise<T> => {
        if (kept !== null) return ask(kept);
        const dataset = await openDataset(folder);
        try {
          return await ask(dataset);
        } finally {
          dataset.close();
        }
      };
      const counted = (where: string): Promise<number> => over((dataset) => dataset.where(where).count());
      return {
        files: readdirSync(folder).map((name) => join(folder, name)),
        load: async () => {
          if (variant === 'kept') kept = await openDataset(folder);
        },
        tasks: {
          count: asyncTask(() => counted("price > 990 and region = 'EMEA'"), countOutputs),
          sum: asyncTask(
            () => over((dataset) => dataset.column('price').sum()),
            (sum) => sumOutputs(Number(sum)),
          ),
          group: asyncTask(
            () => over((dataset) => dataset.groupBy('region').agg({ total: { sum: 'quantity' } })),
            ({ columns }) =>
              groupOutputs(columns['region'] as string[], columns['total'] as ArrayLike<number | bigint>),
          ),
          narrow: asyncTask((iteration) => {
            const [first, last] = narrowRange(iteration, context.parameters);
            return counted(`id between ${String(first)} and ${String(last)}`);
          }, countOutputs),
          pair: asyncTask(
            () => over((dataset) => dataset.select(['id', 'price']).toColumns()),
            ({ id, price }) => pairOutputs(id as Int32Array, price as Float64Array),
          ),
        },
        close: () => kept?.close(),
      };
    },
  };
}

const folderOf = ({ ownDirectory }: SuiteContext): string => join(ownDirectory, 'parts');
