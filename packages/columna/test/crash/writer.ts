// A real writer that waits to be killed: announces every phase, and is as slow as a busy disk, so that a signal meets
// every phase. Arguments: the destination, the mode, the version of the content, 'async' or 'sync'.
import { onFiles } from '@colkit/io/durable';
import { announce, announcingFiles, surviveSizeLimit } from '@colkit/testkit/crash-writer';
import { WatchedFiles, isOfLock } from '@colkit/testkit/watched-files';
import type { Hook } from '@colkit/testkit/watched-files';
import { appender, appenderSync } from '../../src/write/append.ts';
import { create, createSync } from '../../src/write/create.ts';
import type { ColumnaWriter } from '../../src/write/stream/table-writer.ts';
import { write, writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, STREAMED_GROUPS, WHOLE_ROWS, rowsOf } from './content.ts';
import type { Phase } from './phases.ts';

const [path = '', mode, versionText, form] = process.argv.slice(2);
const version = Number(versionText);
const PAUSE_MS = 3;
let acknowledgedRows = 0;

const tell = (phase: Phase): void => announce({ phase, acknowledgedRows }, PAUSE_MS);

surviveSizeLimit();
tell('before the first byte');
if (mode === 'new' || mode === 'overwrite') await writeWhole();
else await writeStream(mode === 'append');
tell('finished');

async function writeWhole(): Promise<void> {
  const options = onFiles(announcingFiles(tell), { overwrite: mode === 'overwrite', rowGroupSize: GROUP_ROWS });
  if (form === 'async') await write(path, rowsOf(version, 0, WHOLE_ROWS), options);
  else writeSync(path, rowsOf(version, 0, WHOLE_ROWS), options);
}

async function writeStream(appends: boolean): Promise<void> {
  let inFooter = false;
  let isFolder = false;
  const before: Hook = (operation, when) => {
    if (when === 'after' || isOfLock(operation)) return;
    if (operation.kind === 'openFolder') isFolder = true;
    else if (operation.kind === 'sync' && isFolder) isFolder = false;
    else if (operation.kind === 'create') tell('partial file made');
    else if (operation.kind === 'write') tell(inFooter ? 'writing a footer' : 'writing pages');
    else if (operation.kind === 'sync') {
      tell(inFooter ? 'footer written, not synced' : 'pages written, not synced');
      inFooter = !inFooter;
    } else if (operation.kind === 'rename' || operation.kind === 'link') tell('in place');
  };
  const onCheckpoint = ({ rowCount }: { rowCount: number }): void => {
    acknowledgedRows = rowCount;
    tell('checkpoint acknowledged');
  };
  const options = onFiles(new WatchedFiles(before), {
    rowGroupSize: GROUP_ROWS,
    checkpoints: 'never',
    onCheckpoint,
  });
  const sync = form === 'sync';
  const writer: ColumnaWriter = appends
    ? sync
      ? appenderSync(path, options)
      : await appender(path, options)
    : sync
      ? createSync(path, options)
      : await create(path, options);
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
