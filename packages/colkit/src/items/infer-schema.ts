// Items as JSON -> keys and dtypes that hold all of them: whole numbers are int64, others float64, true and false bool,
// text str. Every item must have the same keys.
import { ArgumentError } from '@colkit/io';
import type { SyrahDType } from './dtypes.ts';
import type { KeySpec } from 'syrah';
import { describeJson, isNumberAsText } from './json-values.ts';

type Kind = 'bool' | 'int64' | 'float64' | 'str';

export class SchemaInference {
  /** Null: nothing but empty lists so far. */
  readonly #kinds = new Map<string, Kind | null>();
  #items = 0;

  /** @throws ArgumentError ERR_SCHEMA where keys or kinds of values do not go together. */
  observe(item: ReadonlyMap<string, unknown>, where: string): void {
    if (this.#items > 0 && (item.size !== this.#kinds.size || [...item.keys()].some((key) => !this.#kinds.has(key)))) {
      throw new ArgumentError(
        'ERR_SCHEMA',
        where,
        `the keys ${quoted(this.#kinds.keys())}, as in the first item`,
        quoted(item.keys()) || 'none',
      );
    }
    this.#items += 1;
    for (const [key, value] of item) {
      const known = this.#kinds.get(key) ?? null;
      const kind = kindOf(value, `${where}: key ${JSON.stringify(key)}`);
      this.#kinds.set(key, merge(known, kind, `${where}: key ${JSON.stringify(key)}`));
    }
  }

  /** A key whose lists were all empty is float64. */
  schema(): KeySpec[] {
    return [...this.#kinds].map(([name, kind]) => ({ name, dtype: kind ?? 'float64' }));
  }
}

function kindOf(value: unknown, where: string): Kind | null {
  if (!Array.isArray(value)) return kindOfElement(value, where, 0);
  let kind: Kind | null = null;
  for (const [position, element] of (value as readonly unknown[]).entries()) {
    const next = kindOfElement(element, where, position);
    if (next !== kind)
      kind = merge(
        kind,
        next === 'str' && kind === 'float64' && isNumberAsText(element as string) ? 'float64' : next,
        where,
      );
  }
  return kind;
}

function kindOfElement(element: unknown, where: string, position: number): Kind {
  switch (typeof element) {
    case 'boolean':
      return 'bool';
    case 'string':
      return 'str';
    case 'number':
      if (!Number.isInteger(element)) return 'float64';
      if (Number.isSafeInteger(element)) return 'int64';
      throw new ArgumentError(
        'ERR_VALUE',
        where,
        'whole numbers within 2^53 (give a schema, and larger ones as text)',
        `${String(element)} at position ${String(position)}`,
      );
    default:
      throw new ArgumentError(
        'ERR_VALUE',
        where,
        'numbers, booleans or text',
        `${describeJson(element)} at position ${String(position)}`,
      );
  }
}

function merge(a: Kind | null, b: Kind | null, where: string): Kind | null {
  if (a === null || b === null || a === b) return a ?? b;
  const numbers: readonly (Kind | null)[] = ['int64', 'float64'];
  if (numbers.includes(a) && numbers.includes(b)) return 'float64';
  throw new ArgumentError('ERR_SCHEMA', where, `${a}, as before`, b);
}

const quoted = (names: Iterable<string>): string => Array.from(names, (name) => JSON.stringify(name)).join(', ');

/** 'label:int32,x:float32' -> keys and dtypes. @throws ArgumentError. */
export function parseSchema(text: string): KeySpec[] {
  return text.split(',').map((part) => {
    const at = part.lastIndexOf(':');
    if (at < 1) throw new ArgumentError('ERR_ARGUMENT', 'schema', 'key:dtype,key:dtype,…', JSON.stringify(part));
    return { name: part.slice(0, at), dtype: part.slice(at + 1) as SyrahDType };
  });
}
