// syrah convert: items from a folder, CSV, JSON lines or Parquet into a .syr file, out of one, or from one .syr file into another (an older form into the current one).
import { UsageError, count } from '@colkit/io/command';
import type { Command, Given, Terminal } from '@colkit/io/command';
import { EXCHANGES, FORMATS, formatOf } from '../convert/formats.ts';
import { parseSchema } from '../convert/infer-schema.ts';
import type { ItemReader, KeyNote } from '../convert/item-exchange.ts';
import type { SyrahFile } from '../items/file.ts';
import { isText } from '../layout/dtype.ts';
import { open } from '../open.ts';
import { create } from '../write/create.ts';
import type { KeySpec } from '../write/item-encoder.ts';
import { readable } from './show-items.ts';

export const convertCommand: Command = {
  name: 'convert',
  summary: 'items from a folder of files, CSV, JSON lines or Parquet into a .syr file, or out of one',
  positionals: ['FROM', 'TO'],
  options: {
    from: { kind: 'text', value: 'FORM', help: `what FROM is, where its name does not tell: ${FORMATS.join(', ')}` },
    to: { kind: 'text', value: 'FORM', help: 'what TO is to be, likewise' },
    schema: { kind: 'text', value: 'A:int32,B:float32', help: 'keys and dtypes, where they should not be found out' },
    align: { kind: 'count', value: 'BYTES', help: 'start arrays of the .syr file at multiples of it; 1 by default' },
    overwrite: { kind: 'flag', short: 'f', help: 'replace what is at TO' },
    json: { kind: 'flag', help: 'the summary as JSON' },
  },
  async run(given, terminal) {
    const [from, to] = [given.positional(0), given.positional(1)];
    const source = formatOf(from, given.text('from'), '--from');
    const target = formatOf(to, given.text('to'), '--to');
    if (source !== 'syr' && target !== 'syr') throw new UsageError('one of FROM and TO must be a .syr file');
    const start = performance.now();
    const schemaText = given.text('schema');
    const schema = schemaText === undefined ? null : parseSchema(schemaText);
    let items: number;
    let notes: readonly KeyNote[] = [];
    if (source !== 'syr') {
      const reader = await EXCHANGES[source].openReader(from, schema);
      items = await intoFile(reader, to, given, terminal);
      notes = reader.notes ?? [];
    } else {
      if (schema !== null) throw new UsageError('--schema: only for what is no .syr file');
      using file = await open(from);
      items = target === 'syr' ? await intoFile(readerOf(file), to, given, terminal) : await outOfFile(file, to, target, given.flag('overwrite'), terminal);
    }
    const seconds = (performance.now() - start) / 1000;
    terminal.progress(null);
    for (const { key, note } of notes) terminal.note(`key ${JSON.stringify(key)}: ${note}`);
    if (given.flag('json')) terminal.json({ from, to, items, seconds, ...(notes.length === 0 ? {} : { notes }) });
    else terminal.print(`${to}: ${count(items)} items in ${seconds.toFixed(1)} s`);
    return 0;
  },
};

async function intoFile(reader: ItemReader, path: string, given: Given, terminal: Terminal): Promise<number> {
  const options = { align: given.count('align', 1) ?? 1, overwrite: given.flag('overwrite') };
  const writer = await create(path, { ...options, ...(reader.schema.length === 0 ? {} : { schema: reader.schema.map(({ name, dtype }) => [name, dtype] as const) }) });
  try {
    for await (const entries of reader.items()) {
      await writer.addItem(entries);
      terminal.progress(progressText(writer.itemCount, reader.itemCount));
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
  return writer.itemCount;
}

async function outOfFile(file: SyrahFile, path: string, target: keyof typeof EXCHANGES, overwrite: boolean, terminal: Terminal): Promise<number> {
  const sink = await EXCHANGES[target].openSink(path, file, { overwrite });
  try {
    for (let item = 0; item < file.itemCount; item += 1) {
      await sink.put(await readable(file, item, file.keys), item);
      terminal.progress(progressText(item + 1, file.itemCount));
    }
    await sink.finish();
  } catch (error) {
    await sink.abort();
    throw error;
  }
  return file.itemCount;
}

/** Another .syr file; its names are lost, which the current form does not have. @throws UsageError where its items have no common schema. */
function readerOf(file: SyrahFile): ItemReader {
  const schema = file.schema.map(({ name, dtype }): KeySpec => {
    if (dtype === null) throw new UsageError(`key ${JSON.stringify(name)} of ${file.path} has several dtypes; the current form has one a key`);
    return { name, dtype: isText(dtype) ? 'str' : dtype };
  });
  return {
    schema,
    itemCount: file.itemCount,
    async *items() {
      for (let item = 0; item < file.itemCount; item += 1) yield await file.getEntries(item, { keys: file.keys });
    },
  };
}

const progressText = (done: number, total: number | null): string => `${count(done)}${total === null ? '' : ` of ${count(total)}`} items`;
