// columna verify: every byte of files looked at. Exit code 1 where one is damaged.
import { count, toJson } from '@colkit/io/command';
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
      else terminal.print(ok ? `${path}: whole, ${count(rowCount)} rows in ${count(pageCount)} pages` : [`${path}: damaged, ${count(problems.length)} ${problems.length === 1 ? 'problem' : 'problems'}`, ...problems.map(({ code, message }) => `  ${message} (${code})`)].join('\n'));
    }
    if (given.flag('json')) terminal.print(toJson(reports, 2));
    return exitCode;
  },
};
