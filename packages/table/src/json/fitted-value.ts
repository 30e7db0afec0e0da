// A value of JSON -> the value that a column of some dtype takes.
import { dtypeFacts, integerRange, isFixedText } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { InputValue } from '../input/typed.ts';
import { fixedStringFault } from '../values/fixed-strings.ts';
import { NAT } from '../values/nat.ts';
import { saidBool, saidFloat, saidInteger, saidMoment } from '../values/said.ts';
import type { JsonScalar } from './parse-record.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;

/** Null stays null; undefined: the value does not fit. */
export type FitValue = (value: JsonScalar) => InputValue | undefined;

/** What makes values of a dtype. */
export function valueFitter(info: DTypeInfo): FitValue {
  const fit = presentFitter(info);
  return (value) => (value === null ? null : fit(value));
}

function presentFitter(info: DTypeInfo): (value: NonNullable<JsonScalar>) => InputValue | undefined {
  switch (dtypeFacts(info).value) {
    case 'bool':
      return boolOf;
    case 'int': {
      const range = integerRange(info);
      const bounds = [Number(range[0]), Number(range[1])] as const;
      return (value) => integerOf(value, range, bounds);
    }
    case 'float':
      return (value) => floatOf(value, info);
    case 'moment':
      return (value) => {
        if (value === 'NaT') return NAT;
        return typeof value === 'string' ? saidMoment(value, info.name)?.ticks : undefined;
      };
    case 'text':
      if (!isFixedText(info)) return textOf;
      return (value) => {
        const text = textOf(value);
        return fixedStringFault(text, info) === null ? text : undefined;
      };
    case 'binary':
      return (value) => (typeof value === 'string' ? bytesOf(value) : undefined);
    default:
      return () => undefined;
  }
}

function boolOf(value: NonNullable<JsonScalar>): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return saidBool(value) ?? undefined;
  return value === 0 || value === 1 ? value === 1 : undefined;
}

/** @param bounds the same as numbers: whether a safe integer is within them they tell as well. */
function integerOf(
  value: NonNullable<JsonScalar>,
  [least, most]: readonly [bigint, bigint],
  bounds: readonly [number, number],
): bigint | number | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    // Zero has no sign among integers.
    return value >= bounds[0] && value <= bounds[1] ? value + 0 : undefined;
  }
  const whole = typeof value === 'bigint' ? value : saidInteger(String(value));
  return whole !== null && whole >= least && whole <= most ? whole : undefined;
}

function floatOf(value: NonNullable<JsonScalar>, info: DTypeInfo): number | undefined {
  if (typeof value === 'boolean') return undefined;
  const number = typeof value === 'string' ? saidFloat(value) : Number(value);
  if (number === null) return undefined;
  const isTooLarge = info.itemBytes === 4 && Number.isFinite(number) && !Number.isFinite(Math.fround(number));
  return isTooLarge ? undefined : number;
}

function textOf(value: NonNullable<JsonScalar>): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function bytesOf(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
