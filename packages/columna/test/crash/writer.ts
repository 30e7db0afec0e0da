// A real writer that waits to be killed: announces every phase, and is as slow as a busy disk, so that a signal meets every phase.
// Arguments: the destination, the mode, the version of the content, 'async' or 'sync'.
import { writeSync as writeToDescriptor } from 'node:fs';
import type { FileOperation } from '@colkit/io';
import { WatchedFiles } from '@colkit/testkit/watched-files';
import { appender, appenderSync } from '../../src/write/append.ts';
import { create, createSync } from '../../src/write/create.ts';
import type { StreamOperation } from '../../src/write/stream-files.ts';
import type { ColumnaWriter } from '../../src/write/table-writer.ts';
import { write, writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, STREAMED_GROUPS, WHOLE_ROWS, rowsOf } from './content.ts';
import { lineOf } from './phases.ts';
import type { Phase } from './phases.ts';
import { WatchedStreamFiles } from './watched-files.ts';

const [path = '', mode, versionText, form] = process.argv.slice(2);
const version = Number(versionText);
const PAUSE_MS = 3;
let acknowledgedRows = 0;

function announce(phase: Phase): void {
  writeToDescriptor(1, lineOf({ phase, acknowledgedRows }));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

// Beyond a limit of the file size the kernel sends this signal, which would end the process; with a handler the write fails, as on a full disk.
process.on('SIGXFSZ', () => undefined);
announce('before the first byte');
if (mode === 'new' || mode === 'overwrite') await writeWhole();
else await writeStream(mode === 'append');
announce('finished');

async function writeWhole(): Promise<void> {
  let isPublished = false;
  const before = (operation: FileOperation, when: 'before' | 'after'): void => {
    if (when === 'after') return;
    if (operation.kind === 'create') announce('temporary file made');
    else if (operation.kind === 'write') announce('writing');
    else if (operation.kind === 'sync' && !isPublished) announce('synced, not yet in place');
    else if (operation.kind === 'rename' || operation.kind === 'link') {
      isPublished = true;
      announce('in place');
    }
  };
  const options = { overwrite: mode === 'overwrite', rowGroupSize: GROUP_ROWS, operations: new WatchedFiles(before) };
  if (form === 'async') await write(path, rowsOf(version, 0, WHOLE_ROWS), options);
  else writeSync(path, rowsOf(version, 0, WHOLE_ROWS), options);
}

async function writeStream(appends: boolean): Promise<void> {
  let inFooter = false;
  const before = (operation: StreamOperation): void => {
    if (operation.kind === 'create') announce('partial file made');
    else if (operation.kind === 'write') announce(inFooter ? 'writing a footer' : 'writing pages');
    else if (operation.kind === 'sync') {
      announce(inFooter ? 'footer written, not synced' : 'pages written, not synced');
      inFooter = !inFooter;
    } else if (operation.kind === 'rename' || operation.kind === 'link') announce('in place');
  };
  const onCheckpoint = ({ rowCount }: { rowCount: number }): void => {
    acknowledgedRows = rowCount;
    announce('checkpoint acknowledged');
  };
  const options = { rowGroupSize: GROUP_ROWS, checkpoints: 'never', operations: new WatchedStreamFiles(before), onCheckpoint } as const;
  const sync = form === 'sync';
  const writer: ColumnaWriter = appends ? (sync ? appenderSync(path, options) : await appender(path, options)) : sync ? createSync(path, options) : await create(path, options);
  if (appends) acknowledgedRows = writer.rowCount;
  const first = appends ? ROWS_BEFORE : 0;
  for (let group = 0; group < STREAMED_GROUPS; group++) {
    const rows = rowsOf(version, first + group * GROUP_ROWS, GROUP_ROWS);
    if (sync) writer.writeSync(rows);
    else await writer.write(rows);
    if (group % 2 === 0) continue;
    if (sync) writer.checkpointSync();
    else await writer.checkpoint();
  }
  if (sync) writer.closeSync();
  else await writer.close();
}
