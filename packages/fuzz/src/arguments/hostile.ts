// Values that nobody should pass, made from values that are taken: other types and lengths, memory that is gone or
// moves while the call reads its arguments, getters that throw.
import { chance, hostileNumber } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import type { Fixture } from './fixture.ts';

type Typed = Uint8Array | Int32Array | Uint32Array | Float64Array | BigInt64Array | BigUint64Array;
const NUMBERS = [
  NaN,
  -1,
  -0,
  0,
  0.5,
  1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  Infinity,
  -Infinity,
  5e-324,
];

/** Another argument in the place of `legal`; `siblings` are all arguments of the call. */
export function hostileValue(random: Random, legal: unknown, siblings: readonly unknown[], fixture: Fixture): unknown {
  if (ArrayBuffer.isView(legal) && !(legal instanceof DataView) && chance(random, 0.75))
    return hostileArray(random, legal as Typed, siblings);
  if (Array.isArray(legal) && chance(random, 0.8)) return hostileList(random, legal as unknown[], siblings, fixture);
  if (isRows(legal) && chance(random, 0.8)) return hostileObject(random, legal, siblings, fixture);
  if (typeof legal === 'number' && chance(random, 0.7)) return random.pick(NUMBERS);
  const values: readonly unknown[] = [
    undefined,
    null,
    true,
    'text',
    '',
    '\0',
    'a'.repeat(100_000),
    1n,
    2n ** 70n,
    -1n,
    Symbol('s'),
    {},
    [],
    [1, 2],
    () => 1,
    new Date(0),
    /x/,
    new Proxy({}, {}),
    new Proxy(new Uint8Array(8), {}),
    random.pick(NUMBERS),
    fixture.mapping,
    fixture.segments,
    fixture.closed,
    Object.create(null),
    new ArrayBuffer(8),
    new SharedArrayBuffer(8),
    new DataView(new ArrayBuffer(9), 1),
    throwing(),
    siblings[random.integer(siblings.length)],
    new Float64Array(0),
    new Uint8Array(7),
    Object.assign([], { length: 2 ** 32 - 1 }),
    Object.freeze([new Uint8Array(3)]),
    new Map(),
    Promise.resolve(1),
    new WeakMap(),
  ];
  return values[random.integer(values.length)];
}

function isRows(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** An object of which every property throws. */
function throwing(): object {
  const fail = (): never => {
    throw new Error('a getter of the caller');
  };
  return new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
}

function hostileArray(random: Random, array: Typed, siblings: readonly unknown[]): unknown {
  const Type = array.constructor as new (...parameters: unknown[]) => Typed;
  const width = array.BYTES_PER_ELEMENT;
  switch (random.integer(11)) {
    case 0:
      return array.slice(0, random.integer(array.length + 1));
    case 1: {
      const longer = new Type(array.length + 1 + random.integer(40));
      longer.set(array as never);
      return longer;
    }
    case 2:
      return detached(array.slice());
    case 3: {
      const shared = new Type(new SharedArrayBuffer(array.byteLength));
      shared.set(array as never);
      return shared;
    }
    case 4: {
      const view = new Type(
        new (ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer)(array.byteLength, {
          maxByteLength: array.byteLength + 64,
        }),
      );
      view.set(array as never);
      return view;
    }
    case 5: {
      // An array over a resizable buffer that became too short for it.
      const buffer = new (
        ArrayBuffer as unknown as new (
          length: number,
          options: object,
        ) => ArrayBuffer & { resize(length: number): void }
      )(array.byteLength + width, { maxByteLength: array.byteLength + 64 });
      const view = new Type(buffer, width, array.length);
      buffer.resize(Math.floor(buffer.byteLength / 2));
      return view;
    }
    case 6: {
      const changed = array.slice();
      for (let times = 1 + random.integer(3); times > 0 && changed.length > 0; times -= 1) putHostile(random, changed);
      return changed;
    }
    case 7: {
      const bytes = new Uint8Array(array.byteLength + 16);
      const other = random.pick([Uint8Array, Float32Array, Int16Array, Float64Array, BigUint64Array, Uint32Array]);
      const start = random.pick([0, 8]);
      return new other(bytes.buffer, start, Math.floor(array.byteLength / other.BYTES_PER_ELEMENT));
    }
    case 8: {
      // The same memory as another argument.
      const other = siblings
        .flatMap((each): unknown[] => (Array.isArray(each) ? (each as unknown[]) : [each]))
        .find((each) => ArrayBuffer.isView(each) && each !== array) as Typed | undefined;
      if (other === undefined || other.byteOffset % width !== 0) return array.subarray(0, array.length);
      return new Type(other.buffer, other.byteOffset, Math.min(array.length, Math.floor(other.byteLength / width)));
    }
    case 9:
      return new DataView(array.buffer, array.byteOffset, array.byteLength);
    default:
      return withGetters(array.slice(), () => undefined);
  }
}

function putHostile(random: Random, array: Typed): void {
  const at = random.integer(array.length);
  if (array instanceof BigInt64Array || array instanceof BigUint64Array)
    array[at] = BigInt.asIntN(64, hostileNumber(random, 64, array[at]));
  else
    array[at] =
      array instanceof Float64Array && chance(random, 0.7)
        ? random.pick([...NUMBERS, (array[at] ?? 0) + random.integer(5) - 2])
        : Number(hostileNumber(random, 32));
}

/** Its buffer transferred away, and collected. */
export function detached<T extends ArrayBufferView>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  (globalThis as { gc?: () => void }).gc?.();
  return array;
}

function withGetters(array: Typed, run: () => void): Typed {
  for (const name of ['buffer', 'length', 'byteLength', 'byteOffset']) {
    Object.defineProperty(array, name, {
      get: () => {
        run();
        return name === 'buffer' ? {} : 2 ** 40;
      },
    });
  }
  return array;
}

/** What other arguments lose while this one is read: the moment between two looks at memory. */
function robber(siblings: readonly unknown[]): () => void {
  return () => {
    for (const each of siblings.flatMap((sibling): unknown[] =>
      Array.isArray(sibling) ? (sibling as unknown[]).slice(0, 1) : [sibling],
    )) {
      if (!ArrayBuffer.isView(each) || !(each.buffer instanceof ArrayBuffer) || each.buffer.byteLength === 0) continue;
      try {
        detached(each);
      } catch {
        // The pool's memory cannot be transferred.
      }
    }
  };
}

function hostileList(
  random: Random,
  list: readonly unknown[],
  siblings: readonly unknown[],
  fixture: Fixture,
): unknown {
  const at = random.integer(Math.max(1, list.length));
  switch (random.integer(7)) {
    case 0:
      return list.slice(1);
    case 1:
      return [...list, new Uint8Array(4)];
    case 2: {
      const sparse = [...list];
      Reflect.deleteProperty(sparse, at);
      return sparse;
    }
    case 3: {
      const trapped = [...list];
      const last = Math.max(0, trapped.length - 1);
      const rob = robber([...siblings, list]);
      // One array, whoever reads it: the answer is looked for in the one that the call filled.
      const item = last === 0 ? new Float64Array(2048) : list[last];
      Object.defineProperty(trapped, last, {
        get: () => {
          rob();
          return item;
        },
      });
      return trapped;
    }
    case 4: {
      const trapped = [...list];
      Object.defineProperty(trapped, at, {
        get: () => {
          trapped.length = 0;
          throw new Error('a getter of the caller');
        },
      });
      return trapped;
    }
    case 5:
      return new Proxy([...list], {});
    default:
      return list.map((item, index) => (index === at ? hostileValue(random, item, siblings, fixture) : item));
  }
}

function hostileObject(
  random: Random,
  object: Readonly<Record<string, unknown>>,
  siblings: readonly unknown[],
  fixture: Fixture,
): unknown {
  const key = random.pick(Object.keys(object));
  const value = object[key];
  switch (random.integer(5)) {
    case 0:
      return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
    case 1: {
      const rob = robber([...siblings, ...Object.values(object)]);
      return Object.defineProperty({ ...object }, key, {
        get: () => {
          rob();
          return value;
        },
      });
    }
    case 2:
      return Object.defineProperty({ ...object }, key, {
        get: () => {
          throw new Error('a getter of the caller');
        },
      });
    case 3:
      return new Proxy({ ...object }, {});
    default:
      return { ...object, [key]: hostileValue(random, value, siblings, fixture) };
  }
}
