// A real writer that waits to be killed: writes one file, announces every phase, and is as slow as a busy disk, so that a signal meets every phase.
// Arguments: the destination, 'new' or 'overwrite', the version of the content, 'async' or 'sync'.
import { writeSync as writeToDescriptor } from 'node:fs';
import type { FileOperation } from '@colkit/io';
import { write, writeSync } from '../../src/index.ts';
import { WatchedFiles } from '@colkit/testkit/watched-files';
import { contentOf } from './content.ts';
import { byteOfPhase } from './phases.ts';
import type { Phase } from './phases.ts';

const [path = '', mode, version, form] = process.argv.slice(2);
const BATCH_ROWS = 4000;
const PAUSE_MS = 4;

const pause = (milliseconds: number): void => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds); };

function announce(phase: Phase): void {
  writeToDescriptor(1, Uint8Array.of(byteOfPhase(phase)));
  pause(phase === 'writing' ? PAUSE_MS / 8 : PAUSE_MS);
}

function watch(operation: FileOperation, when: 'before' | 'after'): void {
  if (when === 'before') return;
  if (operation.kind === 'create') announce('temporary file made');
  else if (operation.kind === 'write') announce('writing');
  else if (operation.kind === 'sync' && !published) announce('synced, not yet in place');
  else if (operation.kind === 'rename' || operation.kind === 'link') {
    published = true;
    announce('in place');
  }
}

let published = false;
// Beyond a limit of the file size the kernel sends this signal, which would end the process; with a handler the write fails, as on a full disk.
process.on('SIGXFSZ', () => undefined);
const data = contentOf(Number(version));
const options = { overwrite: mode === 'overwrite', batchRows: BATCH_ROWS, operations: new WatchedFiles(watch) };
announce('before the first byte');
if (form === 'async') await write(path, data, options);
else writeSync(path, data, options);
announce('finished');
