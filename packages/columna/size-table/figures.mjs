// The description's table of 50,000 orders, measured: what the file takes, what one column and one filter read, how
// many row groups the filter skips; and whether that is at least as good.
import { statSync } from 'node:fs';
import { orderColumns } from '@colkit/testkit/orders';

const ROWS = 50_000;
const GROUPS = 10;
const LEAST = 4500;

/** What the description gives: sizes in bytes are at most, row groups skipped at least. */
export const DESCRIBED = { fileBytes: 225_000, columnBytes: 154_000, filterBytes: 47_000, groupsSkipped: 7 };

/**
 * Writes the file and reads it, with the functions of `columna` that are handed in; the filter's rows and groups are
 * held against going through all amounts.
 */
export async function measure({ write, scan, typed }, path) {
  const { ts, ...others } = orderColumns(ROWS);
  const report = await write(path, { ...others, ts: typed('datetime64[us]', ts) }, { rowGroupSize: ROWS / GROUPS });
  let columnBytes = 0;
  let columnName = '';
  for (const { name } of report.columns) {
    const { bytesRead } = (await scan(path, { columns: [name] })).stats;
    if (bytesRead > columnBytes) [columnBytes, columnName] = [bytesRead, name];
  }
  const { columns, stats } = await scan(path, { columns: ['order_id', 'amount'], where: `amount > ${LEAST}` });
  const matches = [...others.amount.keys()].filter((row) => others.amount[row] > LEAST);
  const groupsWithoutMatch = GROUPS - new Set(matches.map((row) => Math.floor((row * GROUPS) / ROWS))).size;
  const isRight =
    columns.amount.length === matches.length &&
    matches.every((row, i) => columns.amount[i] === others.amount[row] && columns.order_id[i] === others.order_id[row]);
  return {
    report,
    fileBytes: statSync(path).size,
    columnBytes,
    columnName,
    filterBytes: stats.bytesRead,
    groupsSkipped: stats.groupsSkipped,
    groupsWithoutMatch,
    matched: matches.length,
    isRight,
  };
}

/** Lines of the table, ours and the description's beside each other, and what is worse than described or wrong. */
export function compare(figures) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  const rows = [
    [
      '.cna file',
      kilobytes(figures.fileBytes),
      kilobytes(DESCRIBED.fileBytes),
      figures.fileBytes <= DESCRIBED.fileBytes,
    ],
    [
      `one column of seven (the largest, ${figures.columnName})`,
      kilobytes(figures.columnBytes),
      kilobytes(DESCRIBED.columnBytes),
      figures.columnBytes <= DESCRIBED.columnBytes,
    ],
    [
      `filter amount > ${LEAST}`,
      kilobytes(figures.filterBytes),
      kilobytes(DESCRIBED.filterBytes),
      figures.filterBytes <= DESCRIBED.filterBytes,
    ],
    [
      'row groups skipped by it, of 10',
      String(figures.groupsSkipped),
      String(DESCRIBED.groupsSkipped),
      figures.groupsSkipped >= DESCRIBED.groupsSkipped,
    ],
  ];
  const line = ([what, ours, described, verdict]) =>
    `${what.padEnd(44)}${ours.padStart(10)}${described.padStart(12)}  ${verdict}`.trimEnd();
  const lines = [
    line(['', 'ours', 'described', '']),
    ...rows.map(([what, ours, described, isGood]) =>
      line([what, ours, described, isGood ? 'at least as good' : 'WORSE']),
    ),
  ];
  const worse = rows.filter(([, , , isGood]) => !isGood).map(([what]) => `${what}: worse than described`);
  const { isRight, groupsSkipped, groupsWithoutMatch, matched } = figures;
  lines.push(
    '',
    `going through all amounts: ${matched} rows match, and ${groupsWithoutMatch} of 10 row groups hold none of ` +
      `them${groupsSkipped === groupsWithoutMatch ? ': every one that can be skipped is' : ''}`,
  );
  if (!isRight) worse.push('the filter gave other rows than going through all amounts');
  if (groupsSkipped > groupsWithoutMatch) worse.push('a row group with matches was skipped');
  return { lines, worse };
}
