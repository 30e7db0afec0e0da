// The writer's side of a crash test: it announces its phases, and is as slow as a busy disk.
import { writeSync } from 'node:fs';
import { WatchedFiles, isOfLock } from '../watched-files.ts';
import { announcementLine } from './announcements.ts';
import type { Announcement, FilePhase } from './announcements.ts';

/** Tells the harness, and then waits, so that a signal meets every phase. */
export function announce(announcement: Announcement<string>, pauseMs: number): void {
  writeSync(1, announcementLine(announcement));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

/** The operations of the atomic sink, which tell the phases between the first and the last. */
export function announcingFiles(tell: (phase: FilePhase) => void): WatchedFiles {
  let isPublished = false;
  return new WatchedFiles((operation, when) => {
    if (when === 'before' || isOfLock(operation)) return;
    if (operation.kind === 'create') tell('temporary file made');
    else if (operation.kind === 'write') tell('writing');
    else if (operation.kind === 'sync' && !isPublished) tell('synced, not yet in place');
    else if (operation.kind === 'rename' || operation.kind === 'link') {
      isPublished = true;
      tell('in place');
    }
  });
}

/**
 * Beyond a limit of the file size the kernel sends a signal that would end the process; after this the write fails, as
 * on a full disk.
 */
export function surviveSizeLimit(): void {
  process.on('SIGXFSZ', () => undefined);
}
