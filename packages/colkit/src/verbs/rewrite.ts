// compact, upgrade, concat: .cstore files written anew, in place or elsewhere.
import { compact as compactFile, concat as concatFiles, upgrade as upgradeFile } from 'colstore';
import type { FileForm, FileInfo, RewriteOptions as Rewriting } from 'colstore';
import { identify } from '../formats/identify.ts';
import { requireFormat } from '../formats/opened.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON, UsageError, choice, flag, text } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';

interface RewriteOptions extends JsonOption {
  readonly out?: string;
  readonly overwrite?: true;
}

interface LayoutOptions extends RewriteOptions {
  readonly layout?: FileForm;
}

const OUT = text('-o, --out <FILE>', 'write another file, and leave this one as it is');
const OVERWRITE = flag('-f, --overwrite', 'replace what is at --out');
const LAYOUT = choice(
  '--layout <LAYOUT>',
  "records (the default): what today's Python reads, and what grows; flat: what 0.1.0 reads",
  ['records', 'flat'],
);

export const compact: Verb<RewriteOptions> = {
  name: 'compact',
  summary: 'one record of all that a .cstore file has, so that reads are consecutive; in place, or to --out',
  arguments: ['<FILE>'],
  options: [OUT, OVERWRITE, AS_JSON],
  examples: ['colkit compact log.cstore', 'colkit compact log.cstore --out compact.cstore'],
  async run([path = ''], options, terminal) {
    requireFormat('compact', { format: await identify(path) }, 'colstore');
    return tell(await compactFile(path, settings(options, terminal)), options, terminal);
  },
};

export const upgrade: Verb<LayoutOptions> = {
  name: 'upgrade',
  summary: 'bring a .cstore file of any release into a layout of today; in place, or to --out',
  arguments: ['<FILE>'],
  options: [LAYOUT, OUT, OVERWRITE, AS_JSON],
  examples: ['colkit upgrade old.cstore', 'colkit upgrade log.cstore --layout flat --out flat.cstore'],
  async run([path = ''], options, terminal) {
    requireFormat('upgrade', { format: await identify(path) }, 'colstore');
    const { layout = 'records' } = options;
    return tell(await upgradeFile(path, { ...settings(options, terminal), layout }), options, terminal);
  },
};

export const concat: Verb<LayoutOptions> = {
  name: 'concat',
  summary: 'the rows of .cstore files, one file behind the other, in one new file',
  arguments: ['<FILE...>'],
  options: [text('-o, --out <FILE>', 'the new file'), OVERWRITE, LAYOUT, AS_JSON],
  examples: ['colkit concat monday.cstore tuesday.cstore --out week.cstore'],
  async run(paths, options, terminal) {
    const { out, layout = 'records' } = options;
    if (out === undefined) throw new UsageError('--out: expected the path of the new file');
    for (const path of paths) requireFormat('concat', { format: await identify(path) }, 'colstore');
    return tell(await concatFiles(paths, { ...settings(options, terminal), out, layout }), options, terminal);
  },
};

function settings({ out, overwrite }: RewriteOptions, terminal: Terminal): Rewriting {
  return {
    ...(out === undefined ? {} : { out }),
    ...(overwrite === undefined ? {} : { overwrite }),
    onProgress: ({ writtenBytes, totalBytes }) =>
      terminal.progress(`wrote ${count(writtenBytes)} of ${count(totalBytes)} bytes`),
  };
}

function tell(info: FileInfo, { json }: RewriteOptions, terminal: Terminal): number {
  const { path, layout, wire, rowCount, recordCount, byteLength } = info;
  terminal.progress(null);
  if (json === true) terminal.json({ path, layout, wire, rowCount, recordCount, byteLength }, 2);
  else
    terminal.print(
      `${path}: ${counted(rowCount, 'row')} in ${counted(recordCount, 'record')}, ${wire}, ${count(byteLength)} bytes`,
    );
  return 0;
}
