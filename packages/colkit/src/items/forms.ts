// Other forms of items, and who reads and writes them.
import { openCsv, openCsvSink } from './csv.ts';
import { openFolder, openFolderSink } from './folder.ts';
import type { OpenReader, OpenSink } from './item-exchange.ts';
import { openJson, openJsonSink } from './json.ts';
import { openParquet } from './parquet-reader.ts';
import { openParquetSink } from './parquet-writer.ts';

type ItemForm = 'folder' | 'csv' | 'json' | 'jsonl' | 'parquet';

export const ITEM_FORMS: Readonly<Record<ItemForm, { readonly openReader: OpenReader; readonly openSink: OpenSink }>> =
  {
    folder: { openReader: openFolder, openSink: openFolderSink },
    csv: { openReader: openCsv, openSink: openCsvSink },
    json: { openReader: openJson, openSink: openJsonSink('list') },
    jsonl: { openReader: openJson, openSink: openJsonSink('lines') },
    parquet: { openReader: openParquet, openSink: openParquetSink },
  };

export function isItemForm(form: string): form is ItemForm {
  return Object.hasOwn(ITEM_FORMS, form);
}
