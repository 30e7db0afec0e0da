// What each runtime runs for worker threads: files that are large enough for them are the same as those of one thread.
// Prints one line of JSON: which of them are.
import { MemorySink, setMaxWorkers, write, writeCsv } from 'columna';

const ROWS = 1_500_000;
const columns = {
  number: Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 1_000_003),
  text: Array.from({ length: ROWS }, (_, row) => `text ${String(row % 5000)}`),
};
const csv = Buffer.from(`number,half,text\n${'12345678,0.5,some text\n-7,,"quoted, text"\n'.repeat(900_000)}`);

const found = {};
for (const [name, made] of [
  ['written', (sink) => write(sink, columns)],
  ['imported', (sink) => writeCsv(csv, sink)],
]) {
  const files = [];
  for (const threads of [1, 4]) {
    setMaxWorkers(threads);
    const sink = new MemorySink();
    await made(sink);
    files.push(Buffer.from(sink.bytes()));
  }
  found[name] = files[0].equals(files[1]);
}
console.log(JSON.stringify(found));
