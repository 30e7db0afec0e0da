// What a command prints, and that no terminal would obey it.
import assert from 'node:assert/strict';
import { obeyed } from './options/hidden-text.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandChecks {
  /** It ends with that code, and nothing of what it prints is obeyed. */
  visible(code: number, ...words: readonly string[]): Promise<Outcome>;
  /** What it prints with `--json`, visible too. */
  json(code: number, ...words: readonly string[]): Promise<unknown>;
  /** It fails over words or names that a terminal would obey: nothing comes to stdout, and what is hidden shows. */
  refuses(...words: readonly string[]): Promise<void>;
}

/** @param run the command: as a process of its own, or in this one. */
export function commandChecks(run: (...words: readonly string[]) => Promise<Outcome>): CommandChecks {
  const visible = async (code: number, ...words: readonly string[]): Promise<Outcome> => {
    const outcome = await run(...words);
    assert.deepEqual(obeyed(outcome.out), [], `stdout of ${words[0] ?? ''}`);
    assert.deepEqual(obeyed(outcome.err), [], `stderr of ${words[0] ?? ''}`);
    assert.equal(outcome.code, code, outcome.err);
    return outcome;
  };
  return {
    visible,
    json: async (code, ...words) => JSON.parse((await visible(code, ...words, '--json')).out) as unknown,
    refuses: async (...words) => {
      const { code, out, err } = await run(...words);
      assert.deepEqual([out, obeyed(err)], ['', []]);
      assert.ok(err.includes('\\u009b'), err);
      assert.ok(code === 1 || code === 2, `exit code ${String(code)}`);
    },
  };
}
