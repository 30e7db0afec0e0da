// What opens tables, and what imports files of other formats. In builds for browsers each is loaded when a file is met
// that needs it.
import * as arrow from './import-arrow.ts';
import { here } from './here.ts';
import * as parquet from './import-parquet.ts';
import * as text from './import-text.ts';
import * as tables from './table-formats.ts';

export const readers = { tables: here(tables), parquet: here(parquet), arrow: here(arrow), text: here(text) };
