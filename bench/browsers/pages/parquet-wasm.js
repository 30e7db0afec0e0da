import { tableFromIPC } from 'apache-arrow';
import init, { ParquetFile } from 'parquet-wasm';
import { addNumbers, addTexts, answer, sorted } from './sums.js';

let file;
async function columnsOf(names) {
  const table = tableFromIPC((await file.read({ columns: names })).intoIPCStream());
  return Object.fromEntries(names.map((name) => [name, table.getChild(name)]));
}
/** Numbers as their typed array; texts and dates by Arrow's own iteration. */
const numbersOf = (vector) => vector.toArray();
const valuesOf = (vector) => Array.from(vector);

answer({
  load: () => init('/parquet_wasm_bg.wasm'),
  async open(url) {
    file = await ParquetFile.fromUrl(url);
  },
  async 'first answer'() {
    return addNumbers(numbersOf((await columnsOf(['delay'])).delay));
  },
  async filter() {
    const found = await columnsOf(['delay', 'distance', 'origin']);
    const [delay, distance, origin] = [numbersOf(found.delay), numbersOf(found.distance), found.origin];
    const rows = [];
    for (let row = 0; row < delay.length; row++) if (delay[row] > 120n && origin.get(row) === 'ORD') rows.push(row);
    return [rows.length, addNumbers(rows.map((row) => delay[row])), addNumbers(rows.map((row) => distance[row]))];
  },
  async group() {
    const found = await columnsOf(['delay', 'origin']);
    const [delay, origin] = [numbersOf(found.delay), valuesOf(found.origin)];
    const sums = new Map();
    for (let row = 0; row < delay.length; row++)
      sums.set(origin[row], (sums.get(origin[row]) ?? 0) + Number(delay[row]));
    return sorted(sums);
  },
  async 'all values'() {
    const found = await columnsOf(['date', 'delay', 'distance', 'origin', 'destination']);
    return [
      addNumbers(valuesOf(found.date)),
      addNumbers(numbersOf(found.delay)),
      addNumbers(numbersOf(found.distance)),
      addTexts(valuesOf(found.origin)),
      addTexts(valuesOf(found.destination)),
    ];
  },
});
