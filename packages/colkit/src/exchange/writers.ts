// What writes files of each format. In builds for browsers each is loaded when it is first needed.
import * as csv from '@colkit/table/csv';
import * as json from '@colkit/table/json';
import * as arrow from '../tables/to-arrow.ts';
import * as parquet from '../tables/to-parquet.ts';
import * as colstore from './colstore-file.ts';
import { here } from './here.ts';
import * as tables from './table-formats.ts';

export const writers = {
  tables: here(tables),
  colstore: here(colstore),
  parquet: here(parquet),
  arrow: here(arrow),
  csv: here(csv),
  json: here(json),
};
