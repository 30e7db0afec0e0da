// syrah recover: a whole file out of what a dead writer left, as far as that is possible.
import { count } from '@colkit/io/command';
import type { Command } from '@colkit/io/command';
import { recover } from '../write/recover.ts';

export const recoverCommand: Command = {
  name: 'recover',
  summary: 'makes a whole file of what a dead writer left: everything, where it kept a journal',
  positionals: ['FILE'],
  options: {
    overwrite: { kind: 'flag', short: 'f', help: 'replace a whole file that is at the path' },
    force: { kind: 'flag', help: 'though the writer is alive, or works where that cannot be judged (on another machine, in another container)' },
    json: { kind: 'flag', help: 'as JSON' },
  },
  async run(given, terminal) {
    const found = await recover(given.positional(0), { overwrite: given.flag('overwrite'), force: given.flag('force') });
    if (given.flag('json')) terminal.json(found);
    else terminal.print(`${given.positional(0)}: ${found.status}, ${count(found.itemCount)} items, ${count(found.lostBytes)} bytes lost: ${found.reason}`);
    return found.status === 'nothing' ? 1 : 0;
  },
};
