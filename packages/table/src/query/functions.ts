// The functions of expressions: their names in the text form, which are also the methods of `col()`, and how many
// arguments they take.

export const FUNCTIONS = {
  startsWith: { least: 2, most: 2, shape: 'startsWith(column, prefix)' },
  abs: { least: 1, most: 1, shape: 'abs(number)' },
  ceil: { least: 1, most: 1, shape: 'ceil(number)' },
  floor: { least: 1, most: 1, shape: 'floor(number)' },
  round: { least: 1, most: 2, shape: 'round(number, digits)' },
  sqrt: { least: 1, most: 1, shape: 'sqrt(number)' },
  exp: { least: 1, most: 1, shape: 'exp(number)' },
  log: { least: 1, most: 1, shape: 'log(number)' },
  clip: { least: 3, most: 3, shape: 'clip(value, low, high)' },
  where: { least: 3, most: 3, shape: 'where(condition, value, otherwise)' },
  fillNull: { least: 2, most: 2, shape: 'fillNull(value, other)' },
  cast: { least: 2, most: 2, shape: "cast(value, 'int32')" },
  year: { least: 1, most: 1, shape: 'year(datetime)' },
  month: { least: 1, most: 1, shape: 'month(datetime)' },
  day: { least: 1, most: 1, shape: 'day(datetime)' },
  hour: { least: 1, most: 1, shape: 'hour(datetime)' },
  minute: { least: 1, most: 1, shape: 'minute(datetime)' },
  second: { least: 1, most: 1, shape: 'second(datetime)' },
  weekday: { least: 1, most: 1, shape: 'weekday(datetime)' },
} as const;

/** What computes a value; `startsWith` is a condition of its own. */
export type FunctionName = Exclude<keyof typeof FUNCTIONS, 'startsWith'>;
export type DatePart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekday';

export function isFunction(name: string): name is keyof typeof FUNCTIONS {
  return Object.hasOwn(FUNCTIONS, name);
}

export function isDatePart(name: FunctionName): name is DatePart {
  return FUNCTIONS[name].shape.endsWith('(datetime)');
}
