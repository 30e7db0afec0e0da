// A real writer of a file that grows, or is compacted, which waits to be killed: it announces every phase, and is as
// slow as a busy disk. Arguments: the destination, the mode, the version of the content, 'async' or 'sync'.
import { onFiles } from '@colkit/io/durable';
import { announce, surviveSizeLimit } from '@colkit/testkit/crash-writer';
import { WatchedFiles, isOfLock } from '@colkit/testkit/watched-files';
import type { Hook } from '@colkit/testkit/watched-files';
import { compact, compactSync, create, createSync, update, updateSync } from '../../src/index.ts';
import { STREAMED_RECORDS, recordOf } from './grow-content.ts';
import type { GrowPhase } from './grow-content.ts';

const [path = '', mode, versionText, form] = process.argv.slice(2);
const version = Number(versionText);
const isSync = form === 'sync';
const PAUSE_MS = 3;
const COUNTERS_OFFSET = 8;
let acknowledgedRows = 0;
const tell = (phase: GrowPhase): void => announce({ phase, acknowledgedRows }, PAUSE_MS);

let isInCounters = false;
const before: Hook = (operation, when) => {
  if (when === 'after' || isOfLock(operation)) return;
  if (operation.kind === 'create') tell('partial file made');
  else if (operation.kind === 'write') {
    isInCounters = operation.byteOffset === COUNTERS_OFFSET;
    tell(isInCounters ? 'writing counters' : 'writing records');
  } else if (operation.kind === 'sync') tell(isInCounters ? 'counters written' : 'records written');
  else if (operation.kind === 'rename' || operation.kind === 'link') tell('in place');
};
const files = new WatchedFiles(before);

surviveSizeLimit();
tell('before the first byte');
if (mode === 'compact') {
  if (isSync) compactSync(path, onFiles(files, {}));
  else await compact(path, onFiles(files, {}));
} else await grow();
tell('finished');

async function grow(): Promise<void> {
  const options = onFiles(files, { statistics: version % 2 === 0 });
  const isAppend = mode === 'append';
  const writer = isAppend
    ? isSync
      ? updateSync(path, options)
      : await update(path, options)
    : isSync
      ? createSync(path, options)
      : await create(path, options);
  if (isAppend) acknowledgedRows = writer.rowCount;
  const first = writer.recordCount;
  for (let record = first; record < first + STREAMED_RECORDS; record += 1) {
    if (isSync) writer.writeSync(recordOf(version, record));
    else await writer.write(recordOf(version, record));
    if (record % 2 === 0) continue;
    acknowledgedRows = (isSync ? writer.checkpointSync() : await writer.checkpoint())?.rowCount ?? 0;
    tell('checkpoint acknowledged');
  }
  if (isSync) writer.closeSync();
  else await writer.close();
}
