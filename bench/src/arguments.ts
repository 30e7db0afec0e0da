// The command line -> what is to be run. Nothing is checked here against suites or peers; main does, with the lists at
// hand.
import { parseArgs } from 'node:util';
import type { Clock } from './run/protocol.ts';

export interface Arguments {
  readonly command: 'run' | 'list' | 'ab' | 'sweep' | 'peers' | 'shapes' | 'rates' | 'remote' | 'corpus' | 'help';
  /** Suites for run; suite, tasks and the two candidates for ab; suite and axes for sweep. */
  readonly words: readonly string[];
  readonly quick: boolean;
  readonly cold: boolean;
  readonly resume: boolean;
  /** Only these candidates, everything else kept from the last results. */
  readonly only: readonly string[];
  /** Names of candidates, without the files among them. */
  readonly peers: readonly string[];
  /** Peer files given by path. */
  readonly peerFiles: readonly string[];
  readonly tasks: readonly string[];
  readonly rounds: number | null;
  /** Of suites, ab and shapes: what is counted. */
  readonly clock: Clock;
  /** Of shapes: the mode that files are written in. */
  readonly mode: string;
  readonly save: boolean;
  /** Of the command peers. */
  readonly install: boolean;
}

export const USAGE = `pnpm bench [suite ...] [options]        run suites (all of them without a name)
pnpm bench ab <suite> <task,task> <A> <B>  compare two candidates; A and B are peer/variant or a peer file:variant,
                                           each with ,NAME=value ... for its environment
pnpm bench ab hot /path/to/other           every hot call of this checkout (B) against another one (A), which is built;
                                           --tasks with a task, suite/task, suite or peer/variant runs only these
pnpm bench list                            suites, tasks, candidates, and which peers are missing
pnpm bench sweep [suite [axis ...]]        how cost and memory grow: curves, their fits, an SVG of each sweep
pnpm bench shapes [name ...]               columns of some twenty kinds of values: bytes, and how long each task takes
                                           beside bit-packed values of the same type
pnpm bench rates                           how long each encoding takes to decode: the table that the writer counts
                                           decoding time with; --save writes it where the writer looks
pnpm bench remote                          epochs of syrah's loader over a local server that takes 20 ms for each
                                           answer, beside the same epochs over files: goal 0.9
pnpm bench corpus [table ...]              real tables of different kinds, each through the same tasks, beside Vortex,
                                           Parquet and DuckDB; made by a Python (COLKIT_PYTHON) from public packages
pnpm bench peers --install                 bring the peers with large binaries (DuckDB, Polars, parquet-wasm)
                                           into bench/.cache

  --quick            a tenth of the data and few rounds: for a look, not for a claim
  --peers a,b/c,./x.mjs   only these peers, candidates (* allowed) and peer files
  --tasks a,b        only these tasks
  --only a,b         measure these candidates anew and keep the others' numbers of the last run
  --resume           leave out what the last run finished
  --cold             drop the files from the page cache before every sample; a sample is open + task
  --rounds n         rounds instead of each task's own
  --clock cpu        of suites, ab and shapes: count the processor's time of all threads of a candidate, for a machine
                     that others use too
  --mode fast        of shapes: the mode that files are written in
  --save             also write bench/results/<suite>-<machine>.json and .md;
                     of a sweep <suite>-<axis>-<machine>.json and .svg
The last results are kept in bench/.cache/results. Python peers need COLKIT_PYTHON=/path/to/python.`;

/** @throws Error with a sentence for what cannot be meant. */
export function parseArguments(words: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: words.filter((word) => word !== '--'),
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      cold: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      peers: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', multiple: true, default: [] },
      tasks: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      clock: { type: 'string', default: 'wall' },
      mode: { type: 'string', default: 'default' },
    },
  });
  const list = (given: readonly string[]): string[] =>
    given.flatMap((text) => text.split(',')).filter((text) => text !== '');
  const peers = list(values.peers);
  const rounds = values.rounds === undefined ? null : Number(values.rounds);
  if (rounds !== null && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`--rounds: expected a whole number from 1 on but found ${values.rounds ?? ''}`);
  if (values.clock !== 'wall' && values.clock !== 'cpu')
    throw new Error(`--clock: expected wall or cpu but found ${values.clock}`);
  const [first] = positionals;
  const command = values.help
    ? 'help'
    : first === 'list' ||
        first === 'ab' ||
        first === 'sweep' ||
        first === 'peers' ||
        first === 'shapes' ||
        first === 'rates' ||
        first === 'remote' ||
        first === 'corpus'
      ? first
      : 'run';
  return {
    command,
    words: command === 'run' ? positionals : positionals.slice(1),
    install: values.install,
    quick: values.quick,
    cold: values.cold,
    resume: values.resume,
    save: values.save,
    only: list(values.only),
    tasks: list(values.tasks),
    rounds,
    clock: values.clock,
    mode: values.mode,
    peers: peers.filter((name) => !isFile(name)),
    peerFiles: peers.filter(isFile),
  };
}

/** One side of an A/B comparison: `peer/variant` or `file:variant`, then `,NAME=value` for its environment. */
export interface Side {
  readonly target: string;
  /** Of a file; null for `peer/variant`. */
  readonly variant: string | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** @throws Error where the text is not of that form. */
export function parseSide(text: string): Side {
  const [target = '', ...assignments] = text.split(',');
  const environment: Record<string, string> = {};
  for (const assignment of assignments) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(assignment) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`expected NAME=value but found ${JSON.stringify(assignment)}`);
    environment[name] = value;
  }
  const file = /^(.*\.(?:m?js|py)):(.+)$/.exec(target);
  return file === null
    ? { target, variant: null, environment }
    : { target: file[1] ?? '', variant: file[2] ?? '', environment };
}

function isFile(name: string): boolean {
  return /\.(m?js|py)$/.test(name);
}
