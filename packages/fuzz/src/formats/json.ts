// JSON of a header -> JSON that says something else, mostly still JSON: other names, types, numbers, members that are
// missing, doubled or of another kind.
import { mutateBlindly } from '../run/bytes.ts';
import { chance } from '../run/random.ts';
import type { Random } from '../run/random.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const STRINGS = [
  '',
  'a',
  '__proto__',
  'constructor',
  'toString',
  '10',
  '-0',
  '\0',
  '\u001b[2J',
  '\u202e',
  '\ud800',
  '😀',
  'x'.repeat(300),
  'int64',
  'float32',
  'string',
  'binary',
  'bool',
  'date',
  'datetime',
  'uint8',
  'float16',
  'object',
  '<i4',
  '>f8',
  '|b1',
  '<M8[us]',
  '<M8[25s]',
  '<M8',
  '<m8[as]',
  '|S0',
  '|S3',
  '|S4294967296',
  '<U0',
  '<U5',
  '<U1073741824',
  '<f16',
  '<c16',
  '|V8',
  '|O',
  '>M8[ns]',
  '<i3',
  '<f2',
  '>U2',
  '|u1',
  'raw',
  'zstd',
];
const NUMBERS = [0, -0, 1, -1, 0.5, 2, 7, 100, 65535, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1e308, -1e308, 5e-324];

export function mutateJson(random: Random, text: Uint8Array): Uint8Array {
  if (chance(random, 0.15)) return mutateBlindly(random, text, [text]);
  try {
    const value = JSON.parse(new TextDecoder().decode(text)) as Json;
    return new TextEncoder().encode(JSON.stringify(mutateValue(random, value)));
  } catch {
    return mutateBlindly(random, text, [text]);
  }
}

/** Another value at one node of the tree. */
export function mutateValue(random: Random, value: Json): Json {
  if (chance(random, 0.12)) return randomJson(random);
  if (Array.isArray(value)) {
    if (value.length === 0) return chance(random, 0.5) ? [randomJson(random)] : randomJson(random);
    const at = random.integer(value.length);
    const item = value[at] ?? null;
    switch (random.integer(6)) {
      case 0:
        return value.filter((_, index) => index !== at);
      case 1:
        return [...value, item];
      case 2:
        return value.length > 1 ? [...value.slice(at), ...value.slice(0, at)] : [];
      default:
        return value.map((each, index) => (index === at ? mutateValue(random, each) : each));
    }
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return randomJson(random);
    const key = random.pick(keys);
    const rest = Object.entries(value);
    switch (random.integer(6)) {
      case 0:
        return Object.fromEntries(rest.filter(([name]) => name !== key));
      case 1:
        return Object.fromEntries([...rest, [random.pick(STRINGS), randomJson(random)]]);
      case 2:
        return Object.fromEntries(rest.map(([name, item]) => [name === key ? random.pick(STRINGS) : name, item]));
      default:
        return Object.fromEntries(rest.map(([name, item]) => [name, name === key ? mutateValue(random, item) : item]));
    }
  }
  return randomJson(random, typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : undefined);
}

function randomJson(random: Random, kind?: 'string' | 'number'): Json {
  const choice = kind === 'string' ? 0 : kind === 'number' ? 1 : random.integer(6);
  if (choice === 0 || (kind !== undefined && chance(random, 0.1))) return random.pick(STRINGS);
  if (choice === 1) return random.pick(NUMBERS);
  return random.pick<Json>([null, true, false, [], {}, [[]], { columns: [] }]);
}
