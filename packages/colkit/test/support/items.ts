// A .syr file of 300 items: a number, arrays of several lengths, texts, flags.
import { createSync, typed } from 'syrah';

export const COUNT = 300;

export const itemOf = (i: number) => ({
  label: Int32Array.of(i),
  features: Float64Array.from({ length: i % 4 }, (_, k) => i + k / 4),
  name: `n${String(i)}, "é"\n`,
  flag: typed('bool', [i % 2 === 0]),
});

export function writeItems(path: string): void {
  const writer = createSync(path);
  for (let i = 0; i < COUNT; i += 1) writer.addItemSync(itemOf(i));
  writer.closeSync();
}
