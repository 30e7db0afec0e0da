// The table tasks through the public face of this repository's colstore. It stores texts in a fixed width and has no
// nulls: what is null elsewhere is the empty text here.
import { join } from 'node:path';
import { open, openSync, typed, write } from 'colstore';
import type { ColStore, DType, TypedValues } from 'colstore';
import { asyncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, PeerSuite, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { textsOf } from './files.ts';
import type { RawArray, RawColumn } from './files.ts';
import { groupOutputs, openOutputs, sumsByText, tableOutputs } from './outputs.ts';
import type { Found } from './outputs.ts';
import { tableSuites } from './peer.ts';
import type { TablePeer } from './peer.ts';
import { predicateOf } from './question.ts';

type Columns = Record<string, Found>;

export function colstoreSuites(backend: 'native' | 'js', variants: TablePeer['variants']): Record<string, PeerSuite> {
  return tableSuites({
    variants,
    async build({ context, rawColumns }) {
      await write(tablePath(context), inputOf(rawColumns()), { overwrite: true });
    },
    prepare(session): Workload {
      const { context, inputs } = session;
      const {
        question: { pair, filter, group, columns },
        slice,
        take,
      } = inputs;
      const path = tablePath(context);
      const { where, params } = predicateOf(filter);
      const nullable = new Set(columns.filter((column) => column.nullable).map(({ name }) => name));
      let opened: ColStore | undefined;
      const table = (): ColStore => opened as ColStore;
      const outputs = (found: object): Outputs =>
        tableOutputs(
          inputs,
          Object.fromEntries(
            Object.entries(found as Columns).map(([name, values]) => [
              name,
              nullable.has(name) ? withNulls(values) : values,
            ]),
          ),
        );
      return {
        files: [path],
        load: async () => {
          opened = await open(path, { backend });
        },
        tasks: {
          write: asyncTask(
            async () => {
              const made = session.temporary('.cstore');
              await write(
                made,
                session.once('input', () => inputOf(session.rawColumns())),
                { durability: 'none' },
              );
              return made;
            },
            (made) => {
              const written = openSync(made, { backend });
              const found = written.select(...pair).toColumnsSync();
              written.close();
              return outputs(found);
            },
          ),
          open: asyncTask(
            async () => {
              const found = await open(path, { backend });
              const known = { rowCount: found.rowCount, names: found.columnNames };
              found.close();
              return known;
            },
            ({ rowCount, names }) => openOutputs(rowCount, names),
          ),
          pair: asyncTask(
            () =>
              table()
                .select(...pair)
                .toColumns(),
            outputs,
          ),
          all: asyncTask(() => table().toColumns(), outputs),
          slice: asyncTask(() => table().slice(slice.start, slice.end).toColumns(), outputs),
          take: asyncTask(() => table().take(take).toColumns(), outputs),
          filter: asyncTask(
            () =>
              table()
                .where(where, params)
                .select(...filter.project)
                .toColumns(),
            outputs,
          ),
          group: asyncTask(
            async () => {
              const found = (await table().select(group.sum, group.by).toColumns()) as unknown as Record<
                string,
                ArrayLike<unknown>
              >;
              return sumsByText(found[group.sum] as ArrayLike<number>, found[group.by] as ArrayLike<unknown>);
            },
            (sums) => groupOutputs(inputs, sums),
          ),
        },
        close: () => opened?.close(),
      };
    },
  });
}

function inputOf(columns: readonly RawColumn[]): Record<string, RawArray | TypedValues> {
  return Object.fromEntries(
    columns.map((raw) => {
      const { name, dtype, textLength } = raw.column;
      if (dtype === 'string')
        return [
          name,
          typed(
            `S${textLength}` as DType,
            textsOf(raw).map((text) => text ?? ''),
          ),
        ];
      return [name, dtype === 'datetime64[ms]' ? typed(dtype, raw.values as BigInt64Array) : raw.values];
    }),
  ) as Record<string, RawArray | TypedValues>;
}

function withNulls(values: Found): Found {
  return 'codes' in values ? values : Array.from(values, (value) => (value === '' ? null : value));
}

function tablePath({ ownDirectory }: SuiteContext): string {
  return join(ownDirectory, 'rows.cstore');
}
