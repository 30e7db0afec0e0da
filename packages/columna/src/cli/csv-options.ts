// What a command line says about a CSV file -> options for reading or writing it.
import { UsageError } from '@colkit/io/command';
import type { Given, OptionSpec } from '@colkit/io/command';
import type { ToCsvOptions } from '../convert/csv.ts';
import type { WriteCsvOptions } from '../write/write-csv.ts';

export const CSV_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  from: { kind: 'text', value: 'csv|tsv', help: 'what standard input is, where FROM is -; csv by default' },
  separator: { kind: 'text', value: 'C', help: 'CSV: the character between cells, or tab' },
  null: { kind: 'list', value: 'WORD', help: 'CSV: what stands for null where it is not quoted; the empty cell by default; in, it may be repeated' },
  'no-header': { kind: 'flag', help: 'CSV: the first row holds no names' },
  names: { kind: 'names', value: 'A,B', help: 'CSV in: the names of all columns' },
  type: { kind: 'list', value: 'COLUMN=DTYPE', help: 'CSV in: the type of a column, in place of what its values suggest; may be repeated' },
  'skip-rejected': { kind: 'flag', help: 'CSV in: leave out rows that cannot be taken, and tell of them' },
};

const INPUT_ONLY = ['from', 'names', 'type', 'skip-rejected'] as const;

/** @throws UsageError. */
export function csvInput(given: Given, isTabs: boolean): Pick<WriteCsvOptions, 'separator' | 'nullWords' | 'header' | 'names' | 'types' | 'onError'> {
  const [names, nullWords] = [given.names('names'), given.list('null')];
  const types = given.list('type').map((text) => {
    const at = text.lastIndexOf('=');
    if (at < 1) throw new UsageError(`--type: expected COLUMN=DTYPE but found ${JSON.stringify(text)}`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return {
    separator: separatorOf(given, isTabs),
    ...(nullWords.length === 0 ? {} : { nullWords }),
    ...(given.flag('no-header') ? { header: false } : {}),
    ...(names === undefined ? {} : { names }),
    ...(types.length === 0 ? {} : { types: new Map(types) as NonNullable<WriteCsvOptions['types']> }),
    ...(given.flag('skip-rejected') ? { onError: 'skip' as const } : {}),
  };
}

/** @throws UsageError. */
export function csvOutput(given: Given, isTabs: boolean): Pick<ToCsvOptions, 'separator' | 'nullWord' | 'header'> {
  requireNone(given, INPUT_ONLY, 'only where a CSV file comes in');
  const [nullWord, ...others] = given.list('null');
  if (others.length > 0) throw new UsageError('--null: expected one word for a CSV file that is written');
  return { separator: separatorOf(given, isTabs), ...(nullWord === undefined ? {} : { nullWord }), ...(given.flag('no-header') ? { header: false } : {}) };
}

/** Where no CSV is on either side. @throws UsageError. */
export function requireNoCsvOptions(given: Given): void {
  requireNone(given, Object.keys(CSV_OPTIONS), 'only for CSV files');
}

function requireNone(given: Given, names: readonly string[], why: string): void {
  for (const name of names) {
    if (given.flag(name) || given.text(name) !== undefined || given.list(name).length > 0) throw new UsageError(`--${name}: ${why}`);
  }
}

function separatorOf(given: Given, isTabs: boolean): string {
  const text = given.text('separator');
  if (text === undefined) return isTabs ? '\t' : ',';
  return text === 'tab' || text === '\\t' ? '\t' : text;
}
