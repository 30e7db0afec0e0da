import { write } from 'columna';
import { parseHTML } from 'linkedom';

await write('weather.cna', {
  day: ['2024-01-01', '2024-01-02', '2024-01-03'],
  high: Float64Array.of(4.5, 7.25, 6),
});
const { document } = parseHTML('<html><body></body></html>') as { document: never };

// #region plot
import * as Plot from '@observablehq/plot';
import { open } from 'columna';

const weather = await open('weather.cna');
// Columns, as Plot likes them best: no object for each row.
const { day, high } = await weather.select('day', 'high').toColumns();
const chart = Plot.plot({
  document,
  marks: [Plot.lineY({ length: weather.rowCount }, { x: day, y: high })],
});
// #endregion plot
weather.close();

console.log((chart as unknown as { outerHTML: string }).outerHTML.slice(0, 4));
// → <svg
