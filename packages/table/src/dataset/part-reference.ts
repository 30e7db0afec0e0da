// A part that was written and is not committed: plain data, which travels from whoever wrote it to whoever commits it.
import { ArgumentError, describeValue, isColkitError } from '@colkit/io';
import type { ObjectStore } from '@colkit/io';
import { run } from '@colkit/io/effects';
import type { Field } from '../field.ts';
import { StoreRoot } from './dataset-files.ts';
import { Checks, jsonPart } from './manifest.ts';
import type { JsonPart, ManifestPart } from './manifest.ts';
import type { PartFormat } from './part-format.ts';
import { segmentOf, valuesOfPath } from './path-values.ts';

/** Plain JSON: what a manifest will say of the part. */
export interface PartReference extends JsonPart {
  readonly fields: readonly Field[];
}

/** A part with the columns that it has. */
export interface NewPart {
  readonly fields: readonly Field[];
  /** Its schema is to be replaced. */
  readonly part: ManifestPart;
}

/** Names that only one attempt to write a part has. */
export const PART_NAME = /(?:^|\/)part-[0-9a-f]{8}-[0-9a-f-]{27}\.[a-z]+$/u;

/** A half of a character: no path has it. */
const UNPAIRED = /\p{Surrogate}/u;

/** `region=EMEA/part-….cna`: another name at each call. */
export function partKey(values: Readonly<Record<string, string | null>>, extension: string): string {
  const folders = Object.entries(values).map(([name, value]) => `${segmentOf(name, value)}/`);
  return `${folders.join('')}part-${crypto.randomUUID()}${extension}`;
}

/** Values of paths as texts: numbers, bigints and booleans print as themselves. @throws ArgumentError. */
export function pathTexts(values: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(name, value)]));
}

function textOf(name: string, value: unknown): string | null {
  if (name !== '' && ![name, value].some((text) => typeof text === 'string' && UNPAIRED.test(text))) {
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  }
  throw new ArgumentError(
    'ERR_ARGUMENT',
    `partition.${name}`,
    'a text (of whole characters), number, boolean or null',
    describeValue(value),
  );
}

/** What a manifest says of a file that is in the store. @throws what reading it throws. */
export async function referenceOf(store: ObjectStore, key: string, format: PartFormat): Promise<PartReference> {
  const place = new StoreRoot(store).placeOf(key);
  const head = await run(format.read(place, {}));
  const groups = await run(head.groups(head.fields.map((_, column) => column)));
  const part = {
    key,
    format: format.name,
    rowCount: head.rowCount,
    version: head.version,
    partition: Object.fromEntries(valuesOfPath(key)),
    groups,
  };
  return { ...jsonPart(part), fields: head.fields };
}

/** @throws ArgumentError for what no `writePart` gave. */
export function parseReference(given: unknown, position: number): NewPart {
  const checks = new Checks(`parts[${String(position)}]`);
  try {
    const fields = checks.fields(checks.object(given, 'part')['fields']);
    return { fields, part: checks.part({ ...(given as object), schema: 0 }, [fields]) };
  } catch (error) {
    if (!isColkitError(error)) throw error;
    throw new ArgumentError(
      'ERR_ARGUMENT',
      `parts[${String(position)}]`,
      'what writePart gave, or a key',
      error.message,
    );
  }
}
