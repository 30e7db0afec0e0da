// compact, upgrade, concat: .cstore files written anew, in place or elsewhere.
import { compact as compactFile, concat as concatFiles, upgrade as upgradeFile } from 'colstore';
import type { FileForm, FileInfo, RewriteOptions as Rewriting } from 'colstore';
import { identify } from '../formats/identify.ts';
import { namedFiles, severalFiles } from '../formats/named-files.ts';
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
  summary:
    'one record of all that a .cstore file has, so that reads are consecutive; in place, or to --out. ' +
    'Of a folder or pattern each file, or with --out all of them together',
  arguments: ['<FILE...>'],
  options: [OUT, OVERWRITE, AS_JSON],
  examples: ['colkit compact log.cstore', 'colkit compact log.cstore --out one.cstore', 'colkit compact folder/'],
  async run(words, options, terminal) {
    await requireLoose(words, options);
    const paths = await colstoreFiles('compact', words);
    const { out } = options;
    if (paths.length > 1 && out !== undefined)
      return tell(await concatFiles(paths, { ...settings(options, terminal), out }), options, terminal);
    return each(words, paths, options, terminal, (path) => compactFile(path, settings(options, terminal)));
  },
};

export const upgrade: Verb<LayoutOptions> = {
  name: 'upgrade',
  summary: 'bring a .cstore file of any release into a layout of today; in place, or to --out',
  arguments: ['<FILE...>'],
  options: [LAYOUT, OUT, OVERWRITE, AS_JSON],
  examples: ['colkit upgrade old.cstore', 'colkit upgrade log.cstore --layout flat --out flat.cstore'],
  async run(words, options, terminal) {
    await requireLoose(words, options);
    const paths = await colstoreFiles('upgrade', words);
    if (paths.length > 1 && options.out !== undefined)
      throw new UsageError('--out: only for one file; colkit concat makes one of several');
    const { layout = 'records' } = options;
    const upgraded = (path: string): Promise<FileInfo> => upgradeFile(path, { ...settings(options, terminal), layout });
    return each(words, paths, options, terminal, upgraded);
  },
};

export const concat: Verb<LayoutOptions> = {
  name: 'concat',
  summary: 'the rows of .cstore files, one file behind the other, in one new file',
  arguments: ['<FILE...>'],
  options: [text('-o, --out <FILE>', 'the new file'), OVERWRITE, LAYOUT, AS_JSON],
  examples: ['colkit concat monday.cstore tuesday.cstore --out week.cstore', 'colkit concat shards/ --out all.cstore'],
  async run(words, options, terminal) {
    const { out, layout = 'records' } = options;
    if (out === undefined) throw new UsageError('--out: expected the path of the new file');
    const paths = await colstoreFiles('concat', words);
    return tell(await concatFiles(paths, { ...settings(options, terminal), out, layout }), options, terminal);
  },
};

async function colstoreFiles(verb: string, words: readonly string[]): Promise<readonly string[]> {
  const paths = await namedFiles(words);
  for (const path of paths) requireFormat(verb, { format: await identify(path) }, 'colstore');
  return paths;
}

/**
 * A manifest names its files as they were committed: one that was written anew is another one to all who read.
 * @throws UsageError where such files would be written in place.
 */
async function requireLoose(words: readonly string[], { out }: RewriteOptions): Promise<void> {
  if (out !== undefined) return;
  for (const word of words)
    if ((await severalFiles(word))?.isCommitted === true)
      throw new UsageError(`${word}: the files of a committed dataset stay as they are; -o writes another file`);
}

/** One file after another; a list as JSON where several can be meant, whatever is found. */
async function each(
  words: readonly string[],
  paths: readonly string[],
  options: RewriteOptions,
  terminal: Terminal,
  rewrite: (path: string) => Promise<FileInfo>,
): Promise<number> {
  const isList = words.length > 1 || (await severalFiles(words[0] ?? '')) !== null;
  const told: object[] = [];
  for (const path of paths) {
    const info = await rewrite(path);
    if (isList && options.json === true) told.push(factsOf(info));
    else tell(info, options, terminal);
  }
  terminal.progress(null);
  if (isList && options.json === true) terminal.json(told, 2);
  return 0;
}

const factsOf = ({ path, layout, wire, rowCount, recordCount, byteLength }: FileInfo): object => ({
  path,
  layout,
  wire,
  rowCount,
  recordCount,
  byteLength,
});

function settings({ out, overwrite }: RewriteOptions, terminal: Terminal): Rewriting {
  return {
    ...(out === undefined ? {} : { out }),
    ...(overwrite === undefined ? {} : { overwrite }),
    onProgress: ({ writtenBytes, totalBytes }) =>
      terminal.progress(`wrote ${count(writtenBytes)} of ${count(totalBytes)} bytes`),
  };
}

function tell(info: FileInfo, { json }: RewriteOptions, terminal: Terminal): number {
  const { path, wire, rowCount, recordCount, byteLength } = info;
  terminal.progress(null);
  if (json === true) terminal.json(factsOf(info), 2);
  else
    terminal.print(
      `${path}: ${counted(rowCount, 'row')} in ${counted(recordCount, 'record')}, ${wire}, ${count(byteLength)} bytes`,
    );
  return 0;
}
