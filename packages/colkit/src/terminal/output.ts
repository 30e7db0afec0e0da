// Where the bytes of a conversion go: a file that appears when it is whole, or standard output.
import { openFileSink } from '@colkit/io';
import type { Terminal } from './terminal.ts';
import { UsageError } from './verb.ts';

/** Standard input or output in place of a path. */
export const STANDARD = '-';

export interface Output {
  /** Bytes so far. */
  readonly position: number;
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Gives up: no file is left; what a reader of standard output has it has. */
  abort(): Promise<void>;
}

/** A path, and how it is opened. */
export interface Target {
  readonly path: string;
  readonly overwrite: boolean;
  /** @throws UsageError where bytes would go to a terminal; IoError ERR_EXISTS, ERR_WRITE. */
  open(): Promise<Output>;
}

export function targetOf(path: string, overwrite: boolean, terminal: Terminal): Target {
  const open = (): Promise<Output> =>
    path === STANDARD ? Promise.resolve(standardOutput(terminal)) : openFileSink(path, { overwrite });
  return { path, overwrite, open };
}

function standardOutput(terminal: Terminal): Output {
  if (terminal.isForPeople) throw new UsageError('-: standard output is a terminal; pipe it, or use colkit head');
  let position = 0;
  return {
    get position() {
      return position;
    },
    async write(bytes) {
      await terminal.bytes(bytes);
      position += bytes.byteLength;
    },
    finish: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };
}
