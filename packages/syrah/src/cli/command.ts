// What bin/syrah.js starts: the words of the process, its streams, its exit code.
import { runCommand } from './run.ts';
import { terminalOf } from './terminal.ts';

// A reader that goes away (`syrah head … | head -1`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void runCommand(process.argv.slice(2), terminalOf(process)).then((exitCode) => {
  process.exitCode = exitCode;
});
