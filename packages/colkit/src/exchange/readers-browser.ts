// The same names as readers.ts, each loaded when it is first needed.
export const readers = {
  tables: () => import('./table-formats.ts'),
  parquet: () => import('./import-parquet.ts'),
  arrow: () => import('./import-arrow.ts'),
  text: () => import('./import-text.ts'),
};
