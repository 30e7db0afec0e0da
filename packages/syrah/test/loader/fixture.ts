// The file that the loader tests read: what each item holds follows from its number.
import { create } from '../../src/index.ts';

export interface Item {
  readonly x: Float32Array;
  readonly label: Int32Array;
  readonly half: Float32Array;
  readonly words: Int16Array;
  readonly name: string;
}

export const itemOf = (i: number): Item => ({
  x: Float32Array.of(i, i + 0.5, -i),
  label: Int32Array.of(i),
  half: Float32Array.of(i, 0, 0, 0),
  words: new Int16Array(i % 4).fill(i),
  name: `n${String(i)}`,
});

export async function writeItems(
  path: string,
  count: number,
  of: (i: number) => Record<string, Float32Array | Int32Array | Int16Array | string> = (i) => ({ ...itemOf(i) }),
): Promise<string> {
  const writer = await create(path, { durability: 'none' });
  for (let i = 0; i < count; i += 1) await writer.addItem(of(i));
  await writer.close();
  return path;
}

export async function collect<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

/** What an iteration fails with; null where it does not. */
export async function failureOf(batches: AsyncIterable<unknown>): Promise<unknown> {
  try {
    await collect(batches);
    return null;
  } catch (error) {
    return error;
  }
}
