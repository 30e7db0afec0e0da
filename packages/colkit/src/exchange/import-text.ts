// CSV or JSON, compressed or not -> a .cna file in whatever takes one, in bounded memory.
import { writeCsv, write } from 'columna';
import { readJson } from '@colkit/table/json';
import { writingOf } from './import-options.ts';
import type { ImportJob, ImportOptions, Imported } from './import-options.ts';

/** Of parsed values, and of encoded ones, that are kept for a second look. */
const KEPT_BYTES = 64 * 2 ** 20;

export async function importCsv(job: ImportJob, separator: string): Promise<Imported> {
  const { source, target, options, signal } = job;
  const given = ['quote', 'header', 'names', 'columns', 'nullWords', 'types', 'onError'] as const;
  const { rejected, rejectedCount, notes, ...report } = await writeCsv(source, target, {
    ...picked(options, given),
    memoryBytes: KEPT_BYTES,
    separator: options.separator ?? separator,
    ...writingOf(job),
    ...(signal === undefined ? {} : { signal }),
  });
  return { report, notes, rejected, rejectedCount };
}

export async function importJson(job: ImportJob): Promise<Imported> {
  const { source, target, options, signal } = job;
  const input = await readJson(source, {
    ...picked(options, ['columns', 'types', 'nested', 'onError']),
    memoryBytes: KEPT_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    const report = await write(target, input, writingOf(job));
    return { report, notes: [], rejected: input.rejected, rejectedCount: input.rejectedCount };
  } finally {
    await input.close();
  }
}

function picked<Name extends keyof ImportOptions>(
  options: ImportOptions,
  names: readonly Name[],
): Pick<ImportOptions, Name> {
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  ) as Pick<ImportOptions, Name>;
}
