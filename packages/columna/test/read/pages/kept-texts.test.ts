// Whoever keeps a text of a page, or some characters of it, does not keep the page.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import { MemorySink } from '@colkit/io';

const LENGTH = 60_000;
const ROWS = 400;

/** 24 MB of texts that no dictionary takes. */
function documents(): Uint8Array {
  const sink = new MemorySink();
  const text = Array.from({ length: ROWS }, (_, row) => `${row} `.padEnd(LENGTH, `document ${row * 7919} `));
  writeSync(sink, { text });
  return sink.bytes();
}

it('keeps the beginnings of texts alone', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const table = openSync(documents());
  const kept: string[] = [];
  const before = heap();
  for await (const { text } of table.batches({ rows: 40 })) kept.push((text as string[])[7]?.slice(0, 20) ?? '');
  expect(heap() - before).toBeLessThan(6e6);
  expect(kept.length).toBe(ROWS / 40);
  expect(kept[1]).toBe(documentStart(47));
});

function documentStart(row: number): string {
  return `${row} document ${row * 7919} document`.slice(0, 20);
}
