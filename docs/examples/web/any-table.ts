import { openTable, writeTable } from 'colkit/convert';

const csv = 'id,price\n1,9.5\n2,12\n3,7.25\n';
const dropped = new File([csv], 'orders.csv');
const stopping = new AbortController();
const progress: number[] = [];

// #region open
// A File that somebody dropped, a Blob, a URL, bytes: whatever a table is written in.
const { table, format, imported, close } = await openTable(dropped, {
  onProgress: ({ bytes, totalBytes }) => progress.push(bytes / totalBytes),
  signal: stopping.signal,
});
const rows = await table.where('price > 8').toRows();
const blob = await writeTable(table, 'jsonl');
close();
// #endregion open
console.log(format, imported?.rowCount, rows.length);
// → csv 3 2
console.log((await blob.text()).split('\n')[0]);
// → {"id":1,"price":9.5}
