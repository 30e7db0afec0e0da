import { asyncBufferFromUrl, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { addNumbers, addTexts, answer, sorted } from './sums.js';

let file;
let metadata;
/** Its chunks as they come, which costs less than its rows. */
async function chunks(columns, onChunk) {
  await parquetRead({ file, metadata, compressors, columns, onChunk });
}

async function columnsOf(names) {
  const columns = Object.fromEntries(names.map((name) => [name, []]));
  await chunks(names, ({ columnName, columnData, rowStart }) => columns[columnName].push([rowStart, columnData]));
  const rows = Number(metadata.num_rows);
  for (const name of names) {
    const whole = new Array(rows);
    for (const [start, data] of columns[name]) for (let i = 0; i < data.length; i++) whole[start + i] = data[i];
    columns[name] = whole;
  }
  return columns;
}

answer({
  async open(url) {
    file = await asyncBufferFromUrl({ url });
    metadata = await parquetMetadataAsync(file);
  },
  async 'first answer'() {
    let sum = 0;
    await chunks(['delay'], ({ columnData }) => (sum += addNumbers(columnData)));
    return sum;
  },
  async filter() {
    const { delay, distance, origin } = await columnsOf(['delay', 'distance', 'origin']);
    const rows = [];
    for (let row = 0; row < delay.length; row++) if (delay[row] > 120n && origin[row] === 'ORD') rows.push(row);
    return [rows.length, addNumbers(rows.map((row) => delay[row])), addNumbers(rows.map((row) => distance[row]))];
  },
  async group() {
    const { delay, origin } = await columnsOf(['delay', 'origin']);
    const sums = new Map();
    for (let row = 0; row < delay.length; row++)
      sums.set(origin[row], (sums.get(origin[row]) ?? 0) + Number(delay[row]));
    return sorted(sums);
  },
  async 'all values'() {
    const columns = await columnsOf(['date', 'delay', 'distance', 'origin', 'destination']);
    const dates = columns.date.map((date) => date.getTime());
    return [
      addNumbers(dates),
      addNumbers(columns.delay),
      addNumbers(columns.distance),
      addTexts(columns.origin),
      addTexts(columns.destination),
    ];
  },
});
