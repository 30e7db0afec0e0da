import { createElement as element } from 'react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { write } from 'columna';

await write('orders.cna', {
  region: ['EMEA', 'APAC', 'EMEA'],
  price: Float64Array.of(9.5, 12, 7.25),
});

// #region table
import { open } from 'columna';
import type { Table } from 'columna';

/** One page of a table: what is not seen is not read. */
async function rowsOfPage(table: Table, page: number, size = 50): Promise<Record<string, unknown>[]> {
  return table.slice(page * size, (page + 1) * size).toRows({ json: true });
}

function Rows({ names, rows }: { names: readonly string[]; rows: readonly Record<string, unknown>[] }): ReactElement {
  const cell = (name: string, value: unknown): ReactElement => element('td', { key: name }, String(value ?? ''));
  return element(
    'table',
    null,
    element('thead', null, element('tr', null, ...names.map((name) => element('th', { key: name }, name)))),
    element(
      'tbody',
      null,
      rows.map((row, index) => element('tr', { key: index }, ...names.map((name) => cell(name, row[name])))),
    ),
  );
}
// #endregion table

const orders = await open('orders.cna');
const rows = await rowsOfPage(orders, 0, 2);
console.log(renderToStaticMarkup(element(Rows, { names: orders.columnNames, rows })).replace(/<[^>]+>/g, ' '));
// → region price EMEA 9.5 APAC 12
orders.close();
