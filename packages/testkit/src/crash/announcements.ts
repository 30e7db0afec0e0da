// What a writer that waits to be killed tells the harness: one line for each moment at which it can die, behind what was done and before what follows. The harness and the writer share this file.
import { writeSync } from 'node:fs';
import { WatchedFiles } from '../watched-files.ts';

/** The moments of a file that appears at once. */
export const FILE_PHASES = ['before the first byte', 'temporary file made', 'writing', 'synced, not yet in place', 'in place', 'finished'] as const;
export type FilePhase = (typeof FILE_PHASES)[number];

/** Where a writer is, and how many rows were acknowledged so far. */
export interface Announcement<Phase extends string> {
  readonly phase: Phase;
  readonly acknowledgedRows: number;
}

/** Writes the line, and then waits, as on a busy disk, so that a signal meets every phase. */
export function announce({ phase, acknowledgedRows }: Announcement<string>, pauseMs: number): void {
  writeSync(1, `${String(acknowledgedRows)} ${phase}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

/** @param phases those that the writer can be in. @throws Error for another. */
export function parseAnnouncement<Phase extends string>(line: string, phases: readonly Phase[]): Announcement<Phase> {
  const space = line.indexOf(' ');
  const phase = phases.find((each) => each === line.slice(space + 1));
  if (phase === undefined) throw new Error(`the writer said ${JSON.stringify(line)}`);
  return { phase, acknowledgedRows: Number(line.slice(0, space)) };
}

/** The operations of the atomic sink, which tell the phases between the first and the last. */
export function announcingFiles(tell: (phase: FilePhase) => void): WatchedFiles {
  let isPublished = false;
  return new WatchedFiles((operation, when) => {
    if (when === 'before') return;
    if (operation.kind === 'create') tell('temporary file made');
    else if (operation.kind === 'write') tell('writing');
    else if (operation.kind === 'sync' && !isPublished) tell('synced, not yet in place');
    else if (operation.kind === 'rename' || operation.kind === 'link') {
      isPublished = true;
      tell('in place');
    }
  });
}

/** Beyond a limit of the file size the kernel sends a signal that would end the process; after this the write fails, as on a full disk. */
export function surviveSizeLimit(): void {
  process.on('SIGXFSZ', () => undefined);
}
