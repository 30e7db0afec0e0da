// columna recover: what a dead writer left -> a whole file.
import { count } from '@colkit/io/command';
import type { Command } from '@colkit/io/command';
import { recover } from '../write/recover.ts';

export const recoverCommand: Command = {
  name: 'recover',
  summary: 'make a whole file of what a dead writer left: everything up to its last checkpoint',
  positionals: ['FILE'],
  options: {
    overwrite: { kind: 'flag', short: 'f', help: 'replace a whole file that is at the path by what a dead writer was to replace it with' },
    force: { kind: 'flag', help: 'go on though a writer seems to be alive' },
    json: { kind: 'flag', help: 'as JSON' },
  },
  async run(given, terminal) {
    const path = given.positional(0);
    const recovery = await recover(path, { overwrite: given.flag('overwrite'), force: given.flag('force') });
    const { status, rowCount, lostBytes, reason } = recovery;
    if (given.flag('json')) terminal.json({ path, ...recovery }, 2);
    else terminal.print(`${path}: ${status}, ${count(rowCount)} rows${lostBytes === 0 ? '' : `, ${count(lostBytes)} bytes lost`} (${reason})`);
    return status === 'nothing' ? 1 : 0;
  },
};
