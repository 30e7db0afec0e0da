// The same names as writers.ts, each loaded when it is first needed.
export const writers = {
  tables: () => import('./table-formats.ts'),
  colstore: () => import('./colstore-file.ts'),
  parquet: () => import('../tables/to-parquet.ts'),
  arrow: () => import('../tables/to-arrow.ts'),
  csv: () => import('@colkit/table/csv'),
  json: () => import('@colkit/table/json'),
};
