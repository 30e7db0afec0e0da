// Any value in an error message: whatever was given, the message comes about.
import { dtypeOfArray } from './typed-array.ts';

/** A value for an error message: its kind, and itself where it is short. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string': return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return `${String(value)}n`;
    case 'boolean':
    case 'undefined': return String(value);
    case 'object':
      if (value === null) return 'null';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString();
      if (Array.isArray(value)) return 'an array';
      return `an object (${dtypeOfArray(value) ?? Object.prototype.toString.call(value).slice(8, -1)})`;
    default: return `a ${typeof value}`;
  }
}
