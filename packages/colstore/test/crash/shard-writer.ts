// A real writer of a folder that waits to be killed: batch after batch, announcing every phase, as slow as a busy disk.
// Arguments: the folder, 'append', 'appendAll' or 'appender', the version of the content, 'async' or 'sync'.
import { onFiles } from '@colkit/io/durable';
import type { FileOperation } from '@colkit/io/durable';
import { announce, surviveSizeLimit } from '@colkit/testkit/crash-writer';
import { WatchedFiles, isOfLock } from '@colkit/testkit/watched-files';
import { append, appendAll, appendAllSync, appendSync, appender, appenderSync } from '../../src/index.ts';
import { BATCHES, batchOf } from './shard-content.ts';
import type { ShardPhase } from './shard-content.ts';

const [folder = '', mode, version, form] = process.argv.slice(2);
const PAUSE_MS = 4;

let acknowledgedRows = 0;
let isFileMade = false;
const tell = (phase: ShardPhase): void => announce({ phase, acknowledgedRows }, PAUSE_MS);
const files = new WatchedFiles((operation, when) => {
  const phase = when === 'after' && !isOfLock(operation) ? phaseOf(operation) : null;
  if (phase !== null) tell(phase);
});

function phaseOf(operation: FileOperation): ShardPhase | null {
  switch (operation.kind) {
    case 'makeFolder':
      return 'folder made';
    case 'create':
      isFileMade = true;
      return 'temporary file made';
    case 'write':
      return 'writing';
    case 'sync':
      return isFileMade ? 'synced, not yet in place' : 'folder on the disk';
    case 'link':
    case 'rename':
      return 'in place';
    case 'unlink':
      return 'temporary name gone';
    default:
      return null;
  }
}

function acknowledge(rows: number): void {
  acknowledgedRows += rows;
  tell('acknowledged');
}

surviveSizeLimit();
tell('before the first byte');
if (mode === 'append') {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const data = batchOf(Number(version), batch);
    if (form === 'async') await append(folder, data, onFiles(files, { statistics: true }));
    else appendSync(folder, data, onFiles(files, { statistics: true }));
    acknowledge(data.x.length);
  }
} else if (mode === 'appendAll') {
  const all = Array.from({ length: BATCHES }, (_, batch) => batchOf(Number(version), batch));
  if (form === 'async') await appendAll(folder, all, onFiles(files, {}));
  else appendAllSync(folder, all, onFiles(files, {}));
  acknowledge(all.reduce((sum, { x }) => sum + x.length, 0));
} else {
  const options = onFiles(files, { shardRows: 1 });
  const writer = form === 'async' ? await appender(folder, options) : appenderSync(folder, options);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const data = batchOf(Number(version), batch);
    if (form === 'async') await writer.write(data);
    else writer.writeSync(data);
    acknowledge(data.x.length);
  }
  if (form === 'async') await writer.close();
  else writer.closeSync();
}
tell('finished');
