// The process that writes a journal, and whether it may still be at work. What cannot be judged from here, such as a process of another machine or container on a shared volume,
// counts as alive, as it does for the temporary files of `@colkit/io`: a live writer's work is never taken away.
import { isAbandoned, temporaryName } from '@colkit/io/durable';
import { hostname } from 'node:os';

/** The process that writes. */
export interface JournalOwner {
  readonly host: string;
  readonly pid: number;
  /** Made as the name of a temporary file, which tells of the process all that is to be known. */
  readonly name: string;
}

/** The target of that name: a constant, so that a journal can be moved together with its file. */
const NAME = 'syrah';

export function ownerOfThisProcess(): JournalOwner {
  return { host: hostname(), pid: process.pid, name: temporaryName(NAME) };
}

export function isDead({ name }: JournalOwner): boolean {
  return isAbandoned(name, NAME);
}
