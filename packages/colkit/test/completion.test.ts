// Completion as the shells do it, where they are installed; and that no verb or option is forgotten.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { terminalOf } from '../src/terminal/terminal.ts';
import { programOf } from '../src/program/program.ts';
import { SHELLS } from '../src/program/completion.ts';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { Recorder, linesOf } from './support/run.ts';

const folder = temporaryFolder();
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

async function scriptOf(shell: string): Promise<string> {
  const { code, out } = await linesOf('completion', shell);
  expect(code).toBe(0);
  const path = folder.path(`colkit.${shell}`);
  writeFileSync(path, `${out.join('\n')}\n`);
  return path;
}

it.each(SHELLS)('%s: every verb and every option', async (shell) => {
  const { out } = await linesOf('completion', shell);
  const script = out.join('\n');
  const program = programOf(terminalOf({ stdout: new Recorder(false), stderr: new Recorder(false) }));
  expect(program.commands.length).toBeGreaterThan(11);
  for (const command of program.commands) {
    expect(script).toContain(command.name());
    for (const { long } of command.options)
      expect(script, command.name()).toContain(shell === 'fish' ? `-l ${long?.slice(2) ?? ''}` : long);
  }
});

describe.skipIf(!has('bash'))('bash', () => {
  async function completed(...words: string[]): Promise<string[]> {
    const script = await scriptOf('bash');
    const line =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _colkit; printf "%s\\n" "${COMPREPLY[@]}"';
    const out = execFileSync('bash', ['-c', line, 'bash', script, ...words], { encoding: 'utf8' });
    return out.split('\n').filter((word) => word !== '');
  }

  it('offers verbs, options and the words of options; else files', async () => {
    expect(await completed('colkit', 'in')).toEqual(['info', 'inspect']);
    expect(await completed('colkit', 'head', '--co')).toEqual(['--columns']);
    expect(await completed('colkit', 'convert', 'a', 'b', '--mode', 's')).toEqual(['smallest']);
    expect(await completed('colkit', 'completion', '')).toEqual([...SHELLS]);
    expect(await completed('colkit', 'help', 'rec')).toEqual(['recover']);
    expect(await completed('colkit', 'head', 'orders')).toEqual([]);
    expect(
      execFileSync('bash', ['-c', 'source "$1"; complete -p colkit', 'bash', await scriptOf('bash')], {
        encoding: 'utf8',
      }),
    ).toMatch(/-o default .*-F _colkit colkit/);
  });
});

it.skipIf(!has('zsh'))('zsh takes the script', async () => {
  expect(spawnSync('zsh', ['-n', await scriptOf('zsh')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

it.skipIf(!has('fish'))('fish takes the script', async () => {
  expect(spawnSync('fish', ['--no-execute', await scriptOf('fish')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

it('no other shell', async () => {
  expect(await linesOf('completion', 'tcsh')).toMatchObject({
    code: 2,
    out: [],
    notes: [expect.stringMatching(/bash, zsh, fish/)],
  });
});
