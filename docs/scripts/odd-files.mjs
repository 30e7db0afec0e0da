// Files for the check of the workbench, of values that it could show wrong.
import { MemorySink, typed, write } from 'colstore';
import { create } from 'syrah';

/** Months, and microseconds. */
export async function months() {
  const sink = new MemorySink();
  const ticks = BigInt64Array.of(1n, 365n);
  await write(sink, { month: typed('datetime64[M]', ticks), fine: typed('datetime64[us]', ticks) });
  return Buffer.from(sink.bytes());
}

/** An integer that no double holds, halves, and a long text. */
export async function ids() {
  const sink = new MemorySink();
  const writer = await create(sink);
  await writer.addItem({
    id: BigInt64Array.of(9007199254740993n),
    half: typed('float16', [1, 2.5]),
    text: 'x'.repeat(1e6),
  });
  await writer.close();
  return Buffer.from(sink.bytes());
}
