// `colkit serve-arrow` as a process: it ends when its input does, when nobody reads its output, and when the process
// that started it is gone, even where a copy of that one keeps the input open.
import { serveArrow, writeAll } from './serve.ts';

const OUTPUT_FD = 1;
/** How often it is looked whether the parent is there. */
const PARENT_MS = 1000;

/** Ends the process: with 0, or 1 where what came is not the protocol. */
export async function serveProcess(): Promise<never> {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, PARENT_MS).unref();
  const exitCode = await serveArrow({
    input: process.stdin,
    write: async (pieces) => {
      try {
        await writeAll(OUTPUT_FD, pieces);
      } catch (error) {
        // Who asks waits for a reply that cannot come: the end is what it sees.
        process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1);
      }
    },
  });
  // What is still worked on has nobody that waits for it.
  process.exit(exitCode);
}
