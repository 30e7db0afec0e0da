// Two columns of a very wide table: what does opening cost when the metadata is a million column chunks? 10,000 columns
// x 100 row groups of a few rows each.
import type { Suite, SuiteData } from '../src/suite.ts';

const OURS = 'columna/default';
/** Rows of a row group: few, so that the table is all metadata. */
const GROUP_ROWS = 8;

export const wide: Suite = {
  name: 'wide',
  title: 'a table of 10,000 columns x 100 row groups',
  baseline: OURS,
  tasks: [
    { name: 'open', title: 'open the file, tell its rows', rounds: 5, samples: 2, repeat: 1, checks: 1 },
    { name: 'two', title: 'open the file and read two columns', rounds: 5, samples: 2, repeat: 1, checks: 2 },
  ],
  goals: [
    { kind: 'time', task: 'two', subject: OURS, atMostNs: 20e6 },
    { kind: 'time', task: 'two', subject: 'columna/default-sync', atMostNs: 20e6 },
  ],
  data: (quick) => wideData(quick ? 1000 : 10_000, quick ? 10 : 100),
  generate: () => undefined,
};

export function wideData(columns: number, groups: number): SuiteData {
  return { name: `${String(columns)}x${String(groups)}`, parameters: { columns, groups, groupRows: GROUP_ROWS } };
}

export interface WideTable {
  readonly names: readonly string[];
  readonly rowCount: number;
  readonly groupRows: number;
  column(number: number): Int32Array;
  /** Which two are read: others each time. */
  pair(iteration: number): [number, number];
}

/** The table is a formula, so that no raw files are needed. */
export function wideTable({ columns = 0, groups = 0, groupRows = 1 }: SuiteData['parameters']): WideTable {
  const rowCount = groups * groupRows;
  return {
    names: Array.from({ length: columns }, (_, i) => `c${String(i)}`),
    rowCount,
    groupRows,
    column: (number) =>
      Int32Array.from({ length: rowCount }, (_, row) => (Math.imul(row + 1, number * 2 + 1) >>> 8) % 1000),
    pair: (iteration) => [(iteration * 7919 + 17) % columns, (iteration * 104_729 + 5003) % columns],
  };
}
