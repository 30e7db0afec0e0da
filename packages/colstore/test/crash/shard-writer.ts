// A real writer of a folder that waits to be killed: batch after batch, announcing every phase, as slow as a busy disk.
// Arguments: the folder, 'append' or 'appender', the version of the content, 'async' or 'sync'.
import { onFiles } from '@colkit/io/durable';
import type { FilePhase } from '@colkit/testkit/announcements';
import { announce, announcingFiles } from '@colkit/testkit/crash-writer';
import { append, appendSync, appender, appenderSync } from '../../src/index.ts';
import { BATCHES, batchOf } from './shard-content.ts';

const [folder = '', mode, version, form] = process.argv.slice(2);
const PAUSE_MS = 4;

let acknowledgedRows = 0;
const tell = (phase: FilePhase): void => announce({ phase, acknowledgedRows }, PAUSE_MS);
const files = announcingFiles(tell);

tell('before the first byte');
if (mode === 'append') {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const data = batchOf(Number(version), batch);
    if (form === 'async') await append(folder, data, onFiles(files, { statistics: true }));
    else appendSync(folder, data, onFiles(files, { statistics: true }));
    acknowledgedRows += data.x.length;
  }
} else {
  const options = onFiles(files, { shardRows: 1 });
  const writer = form === 'async' ? await appender(folder, options) : appenderSync(folder, options);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const data = batchOf(Number(version), batch);
    if (form === 'async') await writer.write(data);
    else writer.writeSync(data);
    acknowledgedRows += data.x.length;
  }
  if (form === 'async') await writer.close();
  else writer.closeSync();
}
tell('finished');
