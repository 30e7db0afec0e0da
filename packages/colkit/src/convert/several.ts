// FROM that means several files: each converted to a name by a template (`out/{stem}.cstore`), or all of them into one
// .cstore file, each as a record.
import { create, info, recreate } from 'colstore';
import { basename, dirname, extname, resolve } from 'node:path';
import { reshaped } from '../tables/reshaped.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import { withTable } from './convert.ts';
import type { Done } from './convert.ts';
import type { End } from './ends.ts';
import type { ConvertOptions } from './options.ts';

const FIELD = /\{(index|stem|name|parent)(?::0(\d{1,2})d)?\}/gu;

export const isTemplate = (to: string): boolean => to.search(FIELD) >= 0;

/** TO of each file. @throws UsageError where two would have one name. */
export function namesBy(template: string, files: readonly string[]): readonly string[] {
  const names = files.map((path, index) => named(template, path, index));
  const seen = new Map<string, number>();
  for (const [number, name] of names.entries()) {
    const other = seen.get(resolve(name));
    if (other !== undefined)
      throw new UsageError(`${files[other] ?? ''} and ${files[number] ?? ''} would both become ${name}`);
    seen.set(resolve(name), number);
  }
  return names;
}

function named(template: string, path: string, index: number): string {
  const name = basename(path);
  const values = {
    index: String(index),
    name,
    stem: name.slice(0, name.length - extname(name).length),
    parent: basename(dirname(resolve(path))),
  };
  return template.replaceAll(FIELD, (_, field: keyof typeof values, digits?: string) =>
    values[field].padStart(Number(digits ?? 0), '0'),
  );
}

export interface Source {
  readonly path: string;
  readonly end: End;
}

/** All files as records of one. @throws as `convert`. */
export async function joined(
  sources: readonly Source[],
  to: string,
  options: ConvertOptions,
  terminal: Terminal,
): Promise<Done> {
  const writer = await (options.overwrite === true ? recreate(to) : create(to));
  try {
    for (const { path, end } of sources) {
      terminal.progress(`reading ${path}`);
      const job = { from: path, to, source: end, target: 'cstore', options, terminal } as const;
      await withTable(job, (table) => writer.write(reshaped(table, options)));
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const { rowCount, byteLength } = await info(to);
  return { rowCount, byteLength };
}
