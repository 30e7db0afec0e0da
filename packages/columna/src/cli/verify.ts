// columna verify: every byte of files looked at. Exit code 1 where one is damaged.
import { count } from '@colkit/io/command';
import type { Command } from '@colkit/io/command';
import { verify } from '../read/verify.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'read and decode everything and check it against CRCs and statistics; exit code 1 where a file is damaged',
  positionals: ['FILE'],
  repeated: true,
  options: { json: { kind: 'flag', help: 'as JSON' } },
  async run(given, terminal) {
    let exitCode = 0;
    const reports: unknown[] = [];
    for (const path of given.positionals) {
      terminal.progress(`verifying ${path}`);
      const { ok, rowCount, pageCount, problems } = await verify(path);
      terminal.progress(null);
      if (!ok) exitCode = 1;
      if (given.flag('json')) reports.push({ path, ok, rowCount, pageCount, problems: problems.map(({ code, message }) => ({ code, message })) });
      else if (ok) terminal.print(`${path}: whole, ${count(rowCount)} rows in ${count(pageCount)} pages`);
      else {
        terminal.print(`${path}: damaged, ${count(problems.length)} ${problems.length === 1 ? 'problem' : 'problems'}`);
        for (const { code, message } of problems) terminal.print(`  ${message} (${code})`);
      }
    }
    if (given.flag('json')) terminal.json(reports, 2);
    return exitCode;
  },
};
