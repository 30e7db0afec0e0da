// Where the bytes of a conversion go: a file that appears when it is whole, standard output, or a pipe.
import { IoError, openFileSink } from '@colkit/io';
import { statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { Terminal } from './terminal.ts';
import { UsageError } from './verb.ts';

/** Standard input or output in place of a path. */
export const STANDARD = '-';

export interface Output {
  /** Bytes so far. */
  readonly position: number;
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Gives up: no file is left; what a reader of standard output or a pipe has it has. */
  abort(): Promise<void>;
}

/** A path, and how it is opened. */
export interface Target {
  readonly path: string;
  readonly overwrite: boolean;
  /** @throws UsageError where bytes would go to a terminal; IoError ERR_EXISTS, ERR_WRITE. */
  open(): Promise<Output>;
}

/**
 * Whether bytes are taken as they come: by standard output, or by what is there already: a named pipe, such as a shell
 * makes of >(…), or a device.
 */
export function isStreamed(to: string): boolean {
  if (to === STANDARD) return true;
  const found = thereAt(to);
  return found !== null && (found.isFIFO() || found.isCharacterDevice());
}

/** Null for what is not there, or cannot be looked at; who opens it then says why. */
export function thereAt(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

export function targetOf(path: string, overwrite: boolean, terminal: Terminal): Target {
  const open = async (): Promise<Output> => {
    if (path === STANDARD) return standardOutput(terminal);
    return isStreamed(path) ? pipeOutput(path) : openFileSink(path, { overwrite });
  };
  return { path, overwrite, open };
}

/** Waits for whoever reads it. */
async function pipeOutput(path: string): Promise<Output> {
  const failed = (error: unknown): never => {
    throw new IoError('ERR_WRITE', 'write', path, (error as Error).message, error);
  };
  const file = await openFile(path, 'w').catch(failed);
  let position = 0;
  const close = (): Promise<void> => file.close();
  return {
    get position() {
      return position;
    },
    async write(bytes) {
      for (let done = 0; done < bytes.byteLength; ) {
        const { bytesWritten } = await file.write(bytes.subarray(done)).catch(failed);
        done += bytesWritten;
        position += bytesWritten;
      }
    },
    finish: close,
    abort: close,
  };
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
