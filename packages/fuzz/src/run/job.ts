// What the parent asks of a child process, and the lines that come back.
export interface Job {
  readonly part: string;
  readonly seed: number;
  /** Number of the first mutant, and how many at most. */
  readonly first: number;
  readonly count: number;
  /** Milliseconds since the epoch after which no mutant is begun. */
  readonly deadline: number;
  /** A folder for the mutant that is running and for its copies. */
  readonly folder: string;
  /** Exercises this file instead of mutants. */
  readonly file?: string;
  /** Without the addon there is nothing to compare. */
  readonly native: boolean;
}

/** Something that must not be. */
export interface Finding {
  readonly kind: 'foreign' | 'difference' | 'memory' | 'slow' | 'crash' | 'hang' | 'wrong';
  /** The step, or the call, where it showed. */
  readonly where: string;
  readonly text: string;
  /** The same for the same fault, as far as that can be told. */
  readonly signature: string;
}

/** One line for each mutant, after it. */
export interface Report {
  readonly number: number;
  /** How many steps ended how. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

/** The mutant that runs, in the job's folder. */
export const CURRENT = 'current';

/** Faults that read alike but for numbers, quoted names and source lines are one. */
export function signatureOf(kind: string, where: string, text: string): string {
  const sourceLine = /at .*?([\w.-]+\.(?:js|ts|cc|h)):\d+/.exec(text)?.[1] ?? '';
  const words = (text.split('\n')[0] ?? '')
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/0x[0-9a-f]+|-?\d+(\.\d+)?(e[+-]?\d+)?n?/g, '#')
    .slice(0, 160);
  return [kind, kind === 'foreign' ? '' : where.replace(/\d+/g, '#'), words, sourceLine].join('|');
}
