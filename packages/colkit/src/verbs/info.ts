// info and schema: what is in a file, without reading its data.
import { info as colstoreInfo } from 'colstore';
import type { FileInfo } from 'colstore';
import { inspect } from 'columna';
import type { Dataset } from 'columna';
import type { SyrahFile } from 'syrah';
import { opened } from '../formats/opened.ts';
import type { Opened } from '../formats/opened.ts';
import { keyFacts, keyLines } from '../show/show-items.ts';
import { summaryLines } from '../show/inspect-text.ts';
import { columnsOf } from '../show/text-columns.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

export const info: Verb<JsonOption> = {
  name: 'info',
  summary: 'format, rows or items, columns or keys and their types; reads metadata only',
  arguments: ['<FILE>'],
  options: [AS_JSON],
  examples: ['colkit info orders.cna', 'colkit info train.syr --json'],
  run: ([path = ''], { json }, terminal) =>
    opened(path, async (file) => {
      if (file.kind === 'items') showItems(file.file, json === true, terminal);
      else if (file.dataset !== null) showDataset(file.dataset, file, json === true, terminal);
      else if (file.format === 'colstore') showColstore(await colstoreInfo(path), file, json === true, terminal);
      else {
        const { columns, rowGroups, ...facts } = await inspect(path, { columns: [], rowGroups: 0 });
        const { schema } = file.table;
        const lines = [...summaryLines({ columns, rowGroups, ...facts }), ...schemaLines(file, '  ')];
        if (json === true) terminal.json({ format: file.format, ...facts, schema }, 2);
        else for (const line of lines) terminal.print(line);
      }
      return 0;
    }),
};

export const schema: Verb<JsonOption> = {
  name: 'schema',
  summary: 'the columns: name, type, whether they may hold nulls; or the keys of items',
  arguments: ['<FILE>'],
  options: [AS_JSON],
  examples: ['colkit schema orders.cna', 'colkit schema orders.cna --json'],
  run: ([path = ''], { json }, terminal) =>
    opened(path, (file) => {
      if (json === true) terminal.json(file.kind === 'table' ? file.table.schema : file.file.schema, 2);
      else for (const line of schemaLines(file)) terminal.print(line);
      return 0;
    }),
};

function schemaLines(file: Opened, indent = ''): string[] {
  const cells =
    file.kind === 'table'
      ? file.table.schema.map(({ name, dtype, nullable }) => [name, dtype, nullable ? 'may be null' : ''])
      : file.file.schema.map(({ name, dtype }) => [name, dtype ?? 'differs', '']);
  return columnsOf(cells, [false, false, false], indent);
}

function showItems(file: SyrahFile, isJson: boolean, terminal: Terminal): void {
  const keys = keyFacts(file);
  const { path, form, version, itemCount, byteLength, part, itemNames } = file;
  if (isJson) {
    const facts = { path, byteLength, form, version, itemCount, part, named: itemNames !== null, keys };
    terminal.json({ format: 'syrah', ...facts });
    return;
  }
  const named = itemNames === null ? '' : ', items have names';
  const items = counted(itemCount, 'item');
  terminal.print(`${path}: ${count(byteLength)} bytes, ${items}, form ${form} (version ${version})${named}`);
  if (part !== null) terminal.print(`  ${describePart(part)}`);
  for (const line of keyLines(keys)) terminal.print(line);
}

export function describePart({ number, count: parts, problem }: NonNullable<SyrahFile['part']>): string {
  if (problem !== null) return `part 1 of a set that is not whole: ${problem}`;
  return `part ${count(number + 1)} of ${parts === null ? 'a set; its first part tells of how many' : count(parts)}`;
}

/** What the files of a dataset, or its manifest, say. */
function showDataset(dataset: Dataset, file: Opened, isJson: boolean, terminal: Terminal): void {
  const { files, rowCount, version, pathColumns, schema: fields } = dataset;
  const byteLength = files.reduce((sum, each) => sum + each.byteLength, 0);
  const names = pathColumns.map(({ name }) => name);
  if (isJson) {
    const facts = { path: file.path, fileCount: files.length, byteLength, rowCount, version, pathColumns: names };
    terminal.json({ format: 'dataset', ...facts, schema: fields }, 2);
    return;
  }
  const committed = version === 0 ? '' : `, version ${count(version)}`;
  const size = `${counted(files.length, 'file')}, ${count(byteLength)} bytes`;
  const columns = counted(fields.length, 'column');
  terminal.print(`${file.path}: ${size}, ${counted(rowCount, 'row')}, ${columns}${committed}`);
  if (names.length > 0) terminal.print(`  by folders: ${names.join(', ')}`);
  for (const line of schemaLines(file, '  ')) terminal.print(line);
}

/** What a .cstore file says of itself; `inspect` shows more of the same. */
function showColstore(facts: FileInfo, file: Opened, isJson: boolean, terminal: Terminal): void {
  const { statistics, ...rest } = facts;
  if (isJson) {
    terminal.json({ format: 'colstore', ...rest, hasStatistics: statistics !== null }, 2);
    return;
  }
  for (const line of [...colstoreLines(facts), ...schemaLines(file, '  ')]) terminal.print(line);
}

export function colstoreLines(facts: FileInfo): string[] {
  const { path, byteLength, rowCount, columns, recordCount, layout, wire, uncommittedBytes } = facts;
  const sizes = [counted(rowCount, 'row'), counted(columns.length, 'column'), counted(recordCount, 'record')];
  const dead =
    uncommittedBytes === 0 ? '' : `; ${count(uncommittedBytes)} bytes of a dead writer, which readers ignore`;
  const statistics = facts.statistics === null ? '' : ', statistics';
  return [
    `${path}: ${count(byteLength)} bytes, ${sizes.join(', ')}`,
    `layout ${layout} (${wire})${statistics}, ${facts.hasChecksum ? 'a' : 'no'} checksum over the schema${dead}`,
  ];
}
