// Parts of the packages are loaded when they are first asked. Asked here, of a table of three rows, they are all there
// before the reader asks: from then on the page needs no network.
import { identify, openTable, writeTable } from 'colkit/convert';
import type { OpenedTable } from 'colkit/convert';
import { inspectHtml } from 'colkit/inspect';
import { write } from 'columna';
import { create, open as openItems } from 'syrah';
import { MemorySink } from '@colkit/io';
import { TARGETS } from '../protocol.ts';
import { itemsOf } from './items.ts';
import { Meter } from './metered.ts';
import { matching, rowsOf, grouped } from './questions.ts';
import { summarize } from './summaries.ts';

/** As a file of the reader's is. */
function opened(blob: Blob, name: string): Promise<OpenedTable> {
  return openTable(new Meter().sourceOf(blob, name), { name });
}

export async function warm(): Promise<void> {
  const sink = new MemorySink();
  await write(sink, { number: Float64Array.of(1, 2, 3), text: ['a', 'b', 'a'], flag: [true, false, true] });
  const { table, source, close } = await opened(new Blob([sink.bytes().slice()]), 'warm.cna');
  const { signal } = new AbortController();
  const { found } = await matching(table, "number > 1 and text like 'a%' or not flag", signal);
  await rowsOf(found, { start: 0, end: 2, columns: { start: 0, end: 3 }, matching: true }, false);
  for (const { name } of table.schema) await summarize(table, name, signal);
  await grouped(table, { by: 'text', operation: 'sum', of: 'number' }, signal);
  await inspectHtml(source);
  for (const target of TARGETS) {
    const blob = await writeTable(table, target);
    const again = await opened(blob, `warm.${target}`);
    if (target === 'cstore') {
      await inspectHtml(again.source);
      for (const { name } of again.table.schema) await summarize(again.table, name, signal);
    }
    again.close();
  }
  close();
  await warmItems(signal);
}

async function warmItems(signal: AbortSignal): Promise<void> {
  const sink = new MemorySink();
  const writer = await create(sink);
  await writer.addItem({ label: Int32Array.of(1), text: ['a'], image: new Uint8Array(64) });
  await writer.close();
  const source = new Meter().sourceOf(new Blob([sink.bytes().slice()]), 'warm.syr');
  await identify(source, { name: 'warm.syr' });
  const file = await openItems(source);
  await itemsOf(file, 0, 1, signal);
  file.close();
  await inspectHtml(source);
}
