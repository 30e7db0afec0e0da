// Any value in an error message: whatever was given, the message comes about.
import { tagOf } from './tags.ts';
import { visibleJson } from './visible-text.ts';

/** Characters of a text and values of an array that are shown. */
const LONGEST_TEXT = 40;
const MOST_VALUES = 4;

/** A value for an error message: its kind, and itself where it is short. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${shortened(String(value))}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'symbol':
      return `a symbol (${shortened(String(value))})`;
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : describeAnyObject(value);
    default:
      return typeof value;
  }
}

/** A revoked Proxy throws at every question, and a getter may. */
function describeAnyObject(value: object): string {
  try {
    return describeObject(value);
  } catch {
    return 'an object';
  }
}

function describeObject(value: object): string {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'an invalid Date' : `a Date (${value.toISOString()})`;
  if (Array.isArray(value)) return describeArray(value);
  const name = nameOf(value);
  if (ArrayBuffer.isView(value) && 'length' in value) return `a ${name} of ${String(value.length)}`;
  return `an object (${name})`;
}

function describeArray(values: readonly unknown[]): string {
  if (values.length === 0) return 'an empty array';
  const isShort = values.length <= MOST_VALUES && values.every((each) => typeof each !== 'object' || each === null);
  return isShort
    ? `an array ([${Array.from(values, describeValue).join(', ')}])`
    : `an array of ${String(values.length)}`;
}

function quoted(text: string): string {
  return visibleJson(JSON.stringify(shortened(text)));
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** 'Map', 'Generator', …; the name of the class of other objects. */
function nameOf(value: object): string {
  const tag = tagOf(value);
  const name: unknown = tag === 'Object' ? (value.constructor as { name?: unknown } | undefined)?.name : tag;
  return typeof name === 'string' && name !== '' ? name : tag;
}
