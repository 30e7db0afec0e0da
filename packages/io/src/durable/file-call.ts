// One call to the file system within a work: performed on the files of the work's context, which are the system's
// unless a test gave others. No call looks at the signal: what was started on a file is ended.
import type { Operation, Work } from '../effects/effect.ts';
import type { WorkContext } from '../effects/work-context.ts';
import type { FileOperation, FileResult, FileResults } from '../effects/file-operations.ts';
import { SYSTEM_FILES } from './system-files.ts';

/** One call, with the type of its result. */
export function* fileCall<K extends keyof FileResults>(
  call: FileOperation & { readonly kind: K },
): Work<FileResults[K]> {
  return (yield new FileCall(call)) as FileResults[K];
}

class FileCall implements Operation<FileResult> {
  readonly #call: FileOperation;

  constructor(call: FileOperation) {
    this.#call = call;
  }

  run({ files = SYSTEM_FILES }: WorkContext): Promise<FileResult> {
    return files.run(this.#call);
  }

  runSync({ files = SYSTEM_FILES }: WorkContext): FileResult {
    return files.runSync(this.#call);
  }
}
