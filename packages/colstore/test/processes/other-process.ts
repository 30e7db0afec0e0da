// Another process that writes: one line of answer for each line of commands, until standard input ends. Answers are
// 'ok', or the code of an error.
import { createInterface } from 'node:readline';
import { isColkitError } from '@colkit/io';
import { append, appender, compact, create, open, recreate, recover, update, upgrade, write } from '../../src/index.ts';
import type { ColStoreAppender, ColStoreWriter } from '../../src/index.ts';

let writer: ColStoreWriter | ColStoreAppender | null = null;
const rows = (x: number): { x: Int32Array } => ({ x: Int32Array.of(x) });

const COMMANDS: Readonly<Record<string, (path: string, value: number) => Promise<unknown>>> = {
  // Of a user who may not write everywhere.
  become: async (user) => process.setuid?.(Number(user)),
  create: async (path) => (writer = await create(path)),
  update: async (path) => (writer = await update(path)),
  recreate: async (path) => (writer = await recreate(path)),
  appender: async (path) => (writer = await appender(path)),
  append: (path) => append(path, rows(0)),
  write: async (_, value) => writer?.write(rows(value)),
  close: async () => writer?.close(),
  overwrite: (path, value) => write(path, rows(value), { overwrite: true }),
  new: (path) => write(path, rows(0)),
  compact: (path) => compact(path),
  upgrade: (path) => upgrade(path, { layout: 'flat' }),
  recover: (path) => recover(path),
  rows: async (path) => {
    await using table = await open(path);
    return table.rowCount;
  },
};

for await (const line of createInterface(process.stdin)) {
  const [command = '', path = '', value = '0'] = line.split('\t');
  let answer = 'ok';
  try {
    const result = await COMMANDS[command]?.(path, Number(value));
    if (command === 'rows') answer = String(result);
  } catch (error) {
    answer = isColkitError(error) ? error.code : `other: ${String(error)}`;
  }
  process.stdout.write(`${answer}\n`);
}
