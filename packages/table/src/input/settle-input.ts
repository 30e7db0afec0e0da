// What a user hands to an async writer -> the same with every predicate looked at, without holding up the event loop
// and also where the data is remote. `toInputColumns` would do it at once, with the Sync reads.
import { checkOptions, isMap } from '@colkit/io';
import { contextOf, run } from '@colkit/io/effects';
import type { Operation, WorkContext } from '@colkit/io/effects';
import { Column } from '../output/column.ts';
import { RUN_OPTIONS } from '../output/options.ts';
import type { RunOptions } from '../output/options.ts';
import { settleView } from '../output/settle.ts';
import { Table } from '../output/table.ts';

/** @throws what reading throws. */
export async function settleInput<T>(input: T, options?: RunOptions): Promise<T> {
  checkOptions('settleInput', RUN_OPTIONS, options);
  return (await settled(input, contextOf(options ?? {}))) as T;
}

/** For works of writers in either form: the Sync one leaves the looking to `toInputColumns`. */
export function settledInput<T>(input: T): Operation<T> {
  return { run: async (context) => (await settled(input, context)) as T, runSync: () => input };
}

async function settled(input: unknown, context: WorkContext): Promise<unknown> {
  if (input instanceof Table)
    return input.view.pending.length === 0 ? input : new Table(await run(settleView(input.view, 'write'), context));
  if (input instanceof Column)
    return input.view.pending.length === 0 ? input : new Column(await run(settleView(input.view, 'write'), context));
  const entries = entriesOf(input);
  if (!entries.some(([, values]) => values instanceof Column && values.view.pending.length > 0)) return input;
  const result: [unknown, unknown][] = [];
  for (const [name, values] of entries)
    result.push([name, values instanceof Column ? await settled(values, context) : values]);
  return result;
}

/** Names and values of what may hold columns; none of anything else. */
function entriesOf(input: unknown): readonly (readonly [unknown, unknown])[] {
  if (isMap(input)) return [...input];
  if (Array.isArray(input))
    return (input as readonly unknown[]).every((pair) => Array.isArray(pair) && pair.length === 2)
      ? (input as readonly [unknown, unknown][])
      : [];
  if (typeof input !== 'object' || input === null || ArrayBuffer.isView(input)) return [];
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null ? Object.entries(input) : [];
}
