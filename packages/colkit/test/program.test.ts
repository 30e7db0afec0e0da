// Words into options, errors into exit codes, help with examples, and what was meant by a slip.
import { describe, expect, it, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { programOf } from '../src/program/program.ts';
import { terminalOf } from '../src/terminal/terminal.ts';
import { Recorder, linesOf, runHere } from './support/run.ts';

const program = programOf(terminalOf({ stdout: new Recorder(false), stderr: new Recorder(false) }));
const verbs = program.commands.map((command) => command.name());

test('the verbs are these', () => {
  expect(verbs).toEqual([
    'info',
    'head',
    'tail',
    'get',
    'schema',
    'query',
    'convert',
    'inspect',
    'verify',
    'recover',
    'diff',
    'stats',
    'append',
    'compact',
    'concat',
    'upgrade',
    'serve-arrow',
    'completion',
  ]);
});

describe('help', () => {
  it.each(verbs)('%s: its options, examples that are well formed, by --help, -h and help', async (verb) => {
    const { code, out, err } = await runHere(false, verb, '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      new RegExp(`^Usage: colkit ${verb} [^]*-h, --help[^]*Examples:\\n  \\$ .*colkit ${verb}[ \\n]`),
    );
    for (const words of [
      [verb, '-h'],
      ['help', verb],
    ])
      expect(await runHere(false, ...words)).toEqual({ code: 0, out, err: '' });
    const command = program.commands.find((each) => each.name() === verb);
    const known = command?.options.flatMap(({ flags }) => flags.match(/--?[a-z-]+/g) ?? []) ?? [];
    for (const [flag] of out.slice(out.indexOf('Examples:')).matchAll(/(?<= )--?[a-z][a-z-]*/g))
      expect(known, flag).toContain(flag);
  });

  it('of all: the verbs and the exit codes; without words too, as a mistake', async () => {
    const { code, out } = await runHere(false, '--help');
    expect(code).toBe(0);
    for (const verb of verbs) expect(out).toContain(`  ${verb} `);
    expect(out).toMatch(/Exit codes: 0 done, 1 the data say no .*, 2 the command line is wrong\.\n$/);
    for (const words of [['-h'], ['help']]) expect((await runHere(false, ...words)).out).toBe(out);
    expect(await runHere(false)).toEqual({ code: 2, out, err: '' });
  });

  it('the version', async () => {
    for (const word of ['--version', '-v']) {
      expect(await runHere(false, word)).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' });
    }
  });
});

test.each([
  [['haed', 'x'], /unknown command 'haed' \(did you mean head\?\)$/],
  [['info', 'x', '--jsno'], /colkit info: unknown option '--jsno' \(did you mean --json\?\)$/],
  [['get', 'x', '0', '--key', 'a'], /unknown option '--key' \(did you mean --keys\?\)$/],
  [['verify', 'x', '--no-jsn'], /unknown option '--no-jsn'; there are --json, .*--help$/],
  [['scan', 'x'], /unknown command 'scan'; there are info, head, .*, completion$/],
  [['info', '-q', 'x'], /unknown option '-q'; there are --json, --help$/],
  [['info', 'x', 'more', 'words'], /too many arguments for 'info'. Expected 1 argument but got 3: "more"$/],
  [['head', 'x', '--rows'], /'-n, --rows <N>' argument missing/],
  [['head', 'x', '-n', '-5'], /expected a count/],
  [['head', 'x', '-n', '1e3'], /expected a count/],
  [['convert', 'x', 'y', '--page-rows', '0'], /expected a count from 1 on/],
  [['convert', 'x', 'y', '--from', 'xls'], /Allowed choices are cna, cstore, syr, csv/],
  [['convert', 'x.csv', 'y.cna', '--names', 'a,,b'], /--names: expected names between commas/],
])('2: %j', async (words, message) => {
  expect(await linesOf(...words)).toMatchObject({ code: 2, out: [], notes: [expect.stringMatching(message)] });
});
