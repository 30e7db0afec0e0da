// The command line of the fuzzer.
import { parseArgs } from 'node:util';

/** What can be fuzzed, and which share of the time it gets where everything is. */
export const PARTS = { colstore: 0.2, columna: 0.4, syrah: 0.2, arguments: 0.1, pages: 0.1 } as const;
export type Part = keyof typeof PARTS;

export interface Options {
  readonly parts: readonly Part[];
  readonly minutes: number;
  readonly seed: number;
  /** Only this one. */
  readonly mutant: number | null;
  /** Only this file. */
  readonly file: string | null;
  /** Without sanitizers: the addon as it is shipped. */
  readonly plain: boolean;
}

export const USAGE = `pnpm fuzz [part…] [--minutes N] [--seed S] [--mutant M] [--file PATH] [--plain]

  part       ${Object.keys(PARTS).join(', ')}; default: all of them
  --minutes  how long, all parts together; default 1
  --seed     the same seed makes the same mutants; default: a new one, which is printed
  --mutant   only the mutant of this number
  --file     only this file, for one format (or an input of pages)
  --plain    the addon as it is shipped, without sanitizers`;

export class UsageError extends Error {}

/** @throws UsageError. */
export function parseOptions(given: readonly string[]): Options {
  const { values, positionals } = parsed(given);
  const parts = positionals.length === 0 ? (Object.keys(PARTS) as Part[]) : positionals.map(partOf);
  const mutant = values.mutant === undefined ? null : numberOf('--mutant', values.mutant, true);
  const file = values.file ?? null;
  if ((mutant !== null || file !== null) && parts.length !== 1)
    throw new UsageError('--mutant and --file need one part');
  if (mutant !== null && (values.seed === undefined || parts[0] === 'pages'))
    throw new UsageError('--mutant needs --seed; inputs of pages are files');
  return {
    parts,
    mutant,
    file,
    minutes: values.minutes === undefined ? 1 : numberOf('--minutes', values.minutes, false),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : numberOf('--seed', values.seed, true),
    plain: values.plain ?? false,
  };
}

function parsed(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        mutant: { type: 'string' },
        file: { type: 'string' },
        plain: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function partOf(name: string): Part {
  if (Object.hasOwn(PARTS, name)) return name as Part;
  throw new UsageError(`unknown part ${JSON.stringify(name)}`);
}

function numberOf(option: string, text: string, isInteger: boolean): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0 && (!isInteger || Number.isSafeInteger(number)))
    return number;
  throw new UsageError(`${option}: expected a number but found ${JSON.stringify(text)}`);
}
