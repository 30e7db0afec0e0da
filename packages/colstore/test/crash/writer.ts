// A real writer that waits to be killed: writes one file, announces every phase, and is as slow as a busy disk, so that
// a signal meets every phase. Arguments: the destination, 'new' or 'overwrite', the version of the content, 'async' or
// 'sync'.
import { onFiles } from '@colkit/io/durable';
import type { FilePhase } from '@colkit/testkit/announcements';
import { announce, announcingFiles, surviveSizeLimit } from '@colkit/testkit/crash-writer';
import { write, writeSync } from '../../src/index.ts';
import { contentOf } from './content.ts';

const [path = '', mode, version, form] = process.argv.slice(2);
const BATCH_ROWS = 4000;
const PAUSE_MS = 4;

// A file takes many writes.
const tell = (phase: FilePhase): void =>
  announce({ phase, acknowledgedRows: 0 }, phase === 'writing' ? PAUSE_MS / 8 : PAUSE_MS);

surviveSizeLimit();
const data = contentOf(Number(version));
const options = onFiles(announcingFiles(tell), { overwrite: mode === 'overwrite', batchRows: BATCH_ROWS });
tell('before the first byte');
if (form === 'async') await write(path, data, options);
else writeSync(path, data, options);
tell('finished');
