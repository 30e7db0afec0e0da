// What holds of every verb: JSON that says it all on standard output and nothing beside it, an exit code for each way
// in which it can end, and progress on a terminal alone, looked at from behind one.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSync, typed, writeSync } from 'colstore';
import { writeSync as writeColumna } from 'columna';
import { beforeEach, describe, expect, it } from 'vitest';
import { programOf } from '../../src/program/program.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';
import { temporaryFolder } from '../support/folder.ts';
import { BIN, Recorder, processes, runHere } from '../support/run.ts';

const { root } = temporaryFolder();
let folder = '';
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
  const writer = createSync(at('log.cstore'), { statistics: true });
  for (const n of [1, 2]) writer.writeSync({ n: Int32Array.of(n, 2 * n), s: typed('S3', ['ab', 'c']) });
  writer.closeSync();
  writeSync(at('more.cstore'), { n: Int32Array.of(7), s: typed('S3', ['x']) }, { layout: 'records' });
  writeColumna(at('a.cna'), { n: [1, 2, null], s: ['x', null, 'y'] });
  writeFileSync(at('rows.csv'), 'n,s\n5,e\n');
  copyFileSync(at('log.cstore'), at('same.cstore'));
  writeFileSync(at('cut.cstore'), readFileSync(at('log.cstore')).subarray(0, -300));
  writeFileSync(at('cut.cna'), readFileSync(at('a.cna')).subarray(0, -9));
});

/** Of each verb: words with which it is done, with which the data say no, and which are wrong. */
const CASES: Readonly<Record<string, Readonly<Record<0 | 1 | 2, readonly string[]>>>> = {
  info: { 0: ['log.cstore'], 1: ['nothing.cstore'], 2: [] },
  head: { 0: ['log.cstore', '-n', '2'], 1: ['cut.cna'], 2: ['log.cstore', '-n', 'two'] },
  tail: { 0: ['a.cna', '--columns', 'n'], 1: ['rows.csv.none'], 2: ['a.cna', '--columns', 'nope'] },
  get: { 0: ['log.cstore', '1'], 1: ['cut.cna', '0'], 2: ['log.cstore', '4'] },
  schema: { 0: ['log.cstore'], 1: ['cut.cna'], 2: ['log.cstore', 'log.cstore'] },
  query: { 0: ['log.cstore', 'n > 1'], 1: ['cut.cna', 'n > 1'], 2: ['log.cstore', 'n >'] },
  convert: {
    0: ['rows.csv', 'new.cna'],
    1: ['rows.csv', 'a.cna'],
    2: ['rows.csv', 'new.nothing'],
  },
  inspect: { 0: ['a.cna'], 1: ['cut.cna'], 2: ['a.cna', '--row-groups', 'x'] },
  verify: { 0: ['log.cstore', 'a.cna'], 1: ['cut.cna'], 2: ['log.cstore', '--nope'] },
  recover: { 0: ['log.cstore'], 1: ['rows.csv'], 2: [] },
  diff: { 0: ['log.cstore', 'same.cstore'], 1: ['log.cstore', 'more.cstore'], 2: ['log.cstore'] },
  stats: { 0: ['log.cstore', '--columns', 'n'], 1: ['cut.cna'], 2: ['log.cstore', '--columns', 'nope'] },
  append: { 0: ['log.cstore', 'more.cstore'], 1: ['log.cstore', 'cut.cna'], 2: ['log.cstore'] },
  compact: { 0: ['log.cstore'], 1: ['nothing.cstore'], 2: ['a.cna'] },
  concat: {
    0: ['log.cstore', 'more.cstore', '--out', 'all.cstore'],
    1: ['log.cstore', '--out', 'more.cstore'],
    2: ['log.cstore'],
  },
  upgrade: { 0: ['log.cstore', '--layout', 'flat'], 1: ['nothing.cstore'], 2: ['log.cstore', '--layout', 'new'] },
};
/** A protocol of its own, and a script for a shell. */
const WITHOUT_JSON = ['serve-arrow', 'completion'];

const inFolder = (words: readonly string[]): string[] =>
  words.map((word) => (/^[a-z]+\.(?:cstore|cna|csv|nothing)/u.test(word) ? at(word) : word));

it('each verb is here, and has --json', () => {
  const program = programOf(terminalOf({ stdout: new Recorder(false), stderr: new Recorder(false) }));
  expect(program.commands.map((verb) => verb.name()).sort()).toEqual([...Object.keys(CASES), ...WITHOUT_JSON].sort());
  for (const verb of program.commands) {
    const hasJson = verb.options.some(({ long }) => long === '--json');
    expect([verb.name(), hasJson]).toEqual([verb.name(), !WITHOUT_JSON.includes(verb.name())]);
  }
});

describe.each(Object.entries(CASES))('%s', (verb, cases) => {
  it('0, 1 and 2; --json is JSON, or lines of it, and nothing else', async () => {
    for (const code of [0, 1, 2] as const) {
      const found = await runHere(false, verb, ...inFolder(cases[code]), '--json');
      expect([code, found.code, found.err], found.err).toEqual([
        code,
        code,
        // What a comparison or a check finds is its result.
        code === 0 || (code === 1 && ['diff', 'verify'].includes(verb)) ? '' : expect.stringMatching(/^colkit /),
      ]);
      if (code !== 0) continue;
      const values = jsonOf(found.out);
      expect(values.length, verb).toBeGreaterThan(0);
      // eslint-disable-next-line no-control-regex -- none of these
      expect(found.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    }
  });
});

/** One value, or one a line. */
function jsonOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  }
}

const hasTerminals =
  process.platform === 'linux' && spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

describe.skipIf(processes.skip || !hasTerminals)('behind a terminal', () => {
  /** What is written to the terminal by a line for the shell, in which $colkit is the command. */
  function onTerminal(line: string): string {
    const env: NodeJS.ProcessEnv = { ...process.env, TERM: 'xterm', NODE_NO_WARNINGS: '1' };
    delete env['CI'];
    const { stdout, status } = spawnSync(
      'script',
      ['-qec', line.replaceAll('$colkit', `"${process.execPath}" "${BIN}"`), '/dev/null'],
      {
        cwd: folder,
        env,
        encoding: 'utf8',
      },
    );
    expect(status, stdout).toBe(0);
    return stdout;
  }

  it.each([
    ['compact', 'compact log.cstore --out one.cstore'],
    ['append', 'append log.cstore more.cstore rows.csv'],
    ['concat', 'concat log.cstore more.cstore --out all.cstore'],
    ['verify', 'verify log.cstore'],
    ['convert', 'convert log.cstore out.cna'],
  ])(
    '%s shows what is done, and takes it away; what is not a terminal gets none of it',
    { timeout: 60_000 },
    (_, words) => {
      const text = onTerminal(`$colkit ${words} > out.txt`);
      // The cursor is hidden and comes back; at the end the line is empty.
      expect(text).toContain('\u001b[?25l');
      // eslint-disable-next-line no-control-regex -- what a spinner writes
      expect(text).toMatch(/\u001b\[\?25h\u001b\[1G\u001b\[0K$/);
      const out = readFileSync(at('out.txt'), 'utf8');
      expect(out).toMatch(/\.(?:cstore|cna)/u);
      expect(out).not.toContain('\u001b');
    },
  );

  it('with standard error in a file nothing of it is there', { timeout: 60_000 }, () => {
    const text = onTerminal('$colkit compact log.cstore 2> err.txt');
    expect(readFileSync(at('err.txt'), 'utf8')).toBe('');
    expect(text).toMatch(/^log\.cstore: 4 rows in 1 record, .* bytes\r\n$/u);
  });
});
