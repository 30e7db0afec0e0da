// recover: what a dead writer left -> a whole file. The format is told from what is there: the file, or what lies
// beside it under PATH.partial.
import { IoError, isColkitError } from '@colkit/io';
import { recover as recoverColstore } from 'colstore';
import { recover as recoverColumna } from 'columna';
import { existsSync } from 'node:fs';
import { recover as recoverSyrah } from 'syrah';
import { identify } from '../formats/identify.ts';
import type { FileFormat } from '../formats/identify.ts';
import { namedFiles, severalFiles } from '../formats/named-files.ts';
import { counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, flag } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

interface RecoverOptions extends JsonOption {
  readonly overwrite?: true;
  readonly force?: true;
}

export const recover: Verb<RecoverOptions> = {
  name: 'recover',
  summary: 'make a whole file of what a dead writer left: up to its last checkpoint, or what its journal names',
  arguments: ['<FILE...>'],
  options: [
    flag('-f, --overwrite', 'replace a whole file that is at the path by what a dead writer was to replace it with'),
    flag('--force', 'though the writer is alive, or works on another machine or in another container'),
    AS_JSON,
  ],
  examples: ['colkit recover log.cna', 'colkit recover train.syr --force'],
  async run(words, options, terminal) {
    const isList = words.length > 1 || (await severalFiles(words[0] ?? '')) !== null;
    const reports: object[] = [];
    let exitCode = 0;
    for (const path of await namedFiles(words)) {
      const report = await recoverOne(path, options, terminal);
      if (report['status'] === 'nothing') exitCode = 1;
      reports.push(report);
    }
    if (options.json === true) terminal.json(isList ? reports : reports[0], 2);
    return exitCode;
  },
};

async function recoverOne(
  path: string,
  { overwrite, force, json }: RecoverOptions,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const format = await formatOfLeftovers(path);
  const recovery = await recovered(format, path, { overwrite: overwrite === true, force: force === true });
  const { status, lostBytes, reason } = recovery;
  const had = 'itemCount' in recovery ? counted(recovery.itemCount, 'item') : counted(recovery.rowCount, 'row');
  if (json !== true) terminal.print(`${path}: ${status}, ${had}, ${counted(lostBytes, 'byte')} lost (${reason})`);
  return { path, format, ...recovery };
}

async function recovered(format: FileFormat, path: string, options: { overwrite: boolean; force: boolean }) {
  if (format === 'columna') return recoverColumna(path, options);
  if (format === 'syrah') return recoverSyrah(path, options);
  return recoverColstore(path, options);
}

/** By the first bytes of the file, then of what a writer left beside it; where both hold nothing yet, by the name. */
async function formatOfLeftovers(path: string): Promise<FileFormat> {
  let failure: unknown = null;
  // A .syr file has its first bytes last; only it has a journal.
  if (existsSync(`${path}.journal`)) return 'syrah';
  for (const each of [`${path}.partial`, path]) {
    try {
      return await identify(each);
    } catch (error) {
      if (!isColkitError(error)) throw error;
      if (each === path || !(error instanceof IoError)) failure = error;
    }
  }
  const ending = /\.(cna|cstore|syr)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'cna') return 'columna';
  if (ending === 'syr') return 'syrah';
  throw failure;
}
