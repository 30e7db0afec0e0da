// What an expression of a package's functions takes in a process of its own: how much memory it held at most, and what
// came of it. Linux alone tells the peak.
import { execFileSync } from 'node:child_process';

/** Under an emulator (try-suites), the peak is of the emulator too: so many MiB for it and the code that it makes. */
const EMULATOR_MIB = process.env['COLKIT_EMULATED'] === undefined ? 0 : 100;

export interface Spent {
  /** Peak of what the process held, in MiB. */
  readonly peak: number;
  /** What the expression gave, or the error's code and message; an error that is not of the family has no code. */
  readonly outcome: string;
}

/** Of several expressions. */
export interface SpentByAll {
  /** Peak of what the process held, in MiB. */
  readonly peak: number;
  readonly outcomes: readonly string[];
}

/**
 * Evaluates `expression`, in which all exports of the built module at `module` and `path` are known, with that backend.
 * @throws where the process dies, or takes longer than two minutes.
 */
export function spend(module: URL, path: string, expression: string, backend: string): Spent {
  const { peak, outcomes } = spendAll(module, path, [expression], backend);
  return { peak, outcome: outcomes[0] ?? '' };
}

/** The same of expressions one after the other, in one process: their peak is that of the greediest, or more. */
export function spendAll(module: URL, path: string, expressions: readonly string[], backend: string): SpentByAll {
  const script = `
    import { readFileSync } from 'node:fs';
    import * as all from ${JSON.stringify(module.href)};
    const outcomes = [];
    for (const expression of ${JSON.stringify(expressions)}) {
      const outcome = await (async () => new Function('all', 'path',
        \`const { \${Object.keys(all).join(', ')} } = all;\` +
          \`return (async () => (\` + expression + \`))();\`,
      )(all, ${JSON.stringify(path)}))().then(String, (error) => error.code + ' ' + error.message);
      outcomes.push(outcome.slice(0, 2000));
    }
    const peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024 - ${EMULATOR_MIB};
    console.log(JSON.stringify({ peak: Math.round(peak), outcomes }));`;
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, COLKIT_BACKEND: backend },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  });
  return JSON.parse(answer) as SpentByAll;
}
