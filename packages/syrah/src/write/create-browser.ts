// The same names as create.ts for browsers: sinks and handles of files, and no paths.
import { checkOptions } from '@colkit/io';
import type { WriteTarget } from '@colkit/io';
import { run, runSync } from '@colkit/io/effects';
import { CREATE_OPTIONS, openedOutput } from './create-output.ts';
import type { CreateOptions } from './create-output.ts';
import type { SyrahWriter } from './writer.ts';

type Target = Exclude<WriteTarget, string | URL>;

/** @throws UnsupportedError ERR_FEATURE for a path; ArgumentError. */
export async function create(target: WriteTarget, options: CreateOptions = {}): Promise<SyrahWriter> {
  checkOptions('create', CREATE_OPTIONS, options);
  return run(openedOutput(target as Target, options));
}

export function createSync(target: WriteTarget, options: CreateOptions = {}): SyrahWriter {
  checkOptions('createSync', CREATE_OPTIONS, options);
  return runSync(openedOutput(target as Target, options));
}
