// A table in a thousand small files: what does it cost that each has to be opened? With nothing known from before (the
// folder opened anew, files not cached), and by a program that goes on asking (the dataset kept open, files cached).
import type { Suite, SuiteData } from '../../src/suite.ts';

/** What is compared with what: anew, and known. */
const PAIRS = [
  ['columna/folder', 'duckdb/uncached'],
  ['columna/kept', 'duckdb/folder'],
] as const;
const FILE_ROWS = 2000;
const REGIONS = ['EMEA', 'APAC', 'AMER', 'LATAM', 'ANZ'];
const rounds = { rounds: 7, samples: 2, repeat: 1, checks: 1 };

export const dataset: Suite = {
  name: 'dataset',
  title: 'a table of 2 million rows in 1,000 files',
  baseline: 'duckdb/folder',
  tasks: [
    { name: 'count', title: "count the rows of price > 990 and region = 'EMEA'", ...rounds },
    { name: 'sum', title: 'sum a float column', ...rounds },
    { name: 'group', title: 'sum by a text column', ...rounds },
    { name: 'narrow', title: 'count a range of ids that one file has', ...rounds },
    { name: 'pair', title: 'read two columns', ...rounds },
  ],
  goals: PAIRS.flatMap(([subject, against]) =>
    ['count', 'sum', 'group', 'narrow', 'pair'].map((task) => ({
      kind: 'ratio' as const,
      task,
      subject,
      against,
      atMost: 1,
    })),
  ),
  data: (quick): SuiteData => {
    const files = quick ? 50 : 1000;
    return { name: `${String(files)}x${String(FILE_ROWS)}`, parameters: { files, fileRows: FILE_ROWS } };
  },
  generate: () => undefined,
};

/** The rows [start, end) of the table, which is a formula: the same in SQL below. */
export function datasetRows(start: number, end: number) {
  const hashes = Uint32Array.from({ length: end - start }, (_, i) => Math.imul(start + i + 1, 2_654_435_761));
  return {
    id: Int32Array.from(hashes, (_, i) => start + i),
    price: Float64Array.from(hashes, (hash) => ((hash >>> 7) % 100_000) / 100),
    quantity: Int32Array.from(hashes, (hash) => 1 + ((hash >>> 11) % 50)),
    region: Array.from(hashes, (hash) => REGIONS[(hash >>> 20) % REGIONS.length] as string),
  };
}

export function datasetSql(start: number, end: number): string {
  const columns = [
    'r::INTEGER AS id',
    '((h // 128) % 100000) / 100.0::DOUBLE AS price',
    '(1 + (h // 2048) % 50)::INTEGER AS quantity',
    `[${REGIONS.map((region) => `'${region}'`).join(', ')}][1 + (h // 1048576) % ${String(REGIONS.length)}] AS region`,
  ].join(', ');
  const hashes = '((r + 1) * 2654435761) % 4294967296 AS h';
  return `SELECT ${columns} FROM (SELECT r, ${hashes} FROM range(${String(start)}, ${String(end)}) AS t(r))`;
}

/** Which ids are counted: of another file each time. */
export function narrowRange(iteration: number, { files = 1, fileRows = 1 }: SuiteData['parameters']): [number, number] {
  const start = ((iteration * 7919 + 17) % files) * fileRows + 100;
  return [start, start + 99];
}
