// FROM that means several files: each converted to a name by a template (`out/{stem}.cstore`), or all of them into one
// .cstore file, each as a record.
import { ArgumentError } from '@colkit/io';
import type { Field } from '@colkit/table';
import { create, info, recreate } from 'colstore';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import type { Done, Job } from './convert.ts';
import type { End } from './ends.ts';
import { withFitted } from './fitted-source.ts';
import type { Into } from './fitted-source.ts';
import { isCsv, isJson } from './options.ts';
import type { ConvertOptions } from './options.ts';

const FIELD = /\{(index|stem|name|parent)(?::0(\d{1,2})d)?\}/gu;

/** What looks like a field. */
const LIKE_FIELD = /\{[a-z]\w*(?::[^{}]*)?\}/giu;

/** @throws UsageError for a field that there is not, which would be part of a name. */
export function isTemplate(to: string): boolean {
  const [unknown] = to.replaceAll(FIELD, '').match(LIKE_FIELD) ?? [];
  if (unknown === undefined) return to.search(FIELD) >= 0;
  throw new UsageError(`${to}: expected {stem}, {name}, {parent}, {index} or {index:03d} but found ${unknown}`);
}

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
  let schema: readonly Field[] | null = null;
  try {
    for (const { path, end } of sources) {
      terminal.progress(`reading ${path}`);
      const job = { from: path, to, source: end, target: 'cstore', options, terminal } as const;
      const into: Into = { path: sources[0]?.path ?? '', schema, hasNulls: false };
      await withFitted(job, into, async (table) => {
        await writer.write(table);
        schema ??= table.schema;
      }).catch((error: unknown) => {
        throw besideFirst(error, job, into);
      });
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const { rowCount, byteLength } = await info(to);
  return { rowCount, byteLength };
}

const IN_COLUMN = /expected (\S+) in column ("(?:[^"\\]|\\.)*") but found "?([^"]*)/u;

/** A text that is not as the first one, which said what all of them are: what would take both. */
function besideFirst(error: unknown, { from, source }: Job, { path, schema }: Into): unknown {
  if (schema === null || !(error instanceof ArgumentError) || !(isCsv(source) || isJson(source))) return error;
  const [, dtype, quoted, found = ''] = IN_COLUMN.exec(error.message) ?? [];
  if (dtype === undefined || quoted === undefined) return error;
  const name = JSON.parse(quoted) as string;
  const isNumber = /^u?int/u.test(dtype) && found !== '' && Number.isFinite(Number(found));
  const remedy = `--type ${name}=${isNumber ? 'float64' : 'U16'} takes both`;
  const also = `${path}, the first file, has ${dtype} there: ${remedy}`;
  const message = error.message.startsWith(from) ? error.message : `${from}: ${error.message}`;
  return new ArgumentError(
    error.code as 'ERR_VALUE',
    error.argument,
    error.expected,
    error.found,
    `${message}; ${also}`,
  );
}
