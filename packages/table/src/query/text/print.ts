// A tree -> text that parses to the same tree, with the position of each node in it: what errors of built expressions
// point into. Long lists and texts are cut short.
import { assertNever } from '@colkit/io';
import type { ArithmeticOperator, CompareOperator } from '../bound-predicate.ts';
import { chainTerms } from './syntax.ts';
import type { Syntax } from './syntax.ts';
import { KEYWORDS, WORD } from './tokenize.ts';

interface PrintedPredicate {
  readonly text: string;
  readonly positions: ReadonlyMap<Syntax, number>;
}

export const COMPARE_SIGNS: Readonly<Record<CompareOperator, string>> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
export const ARITHMETIC_SIGNS: Readonly<Record<ArithmeticOperator, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  mod: '%',
  floorDiv: '//',
  pow: '**',
  bitAnd: '&',
  bitOr: '|',
  bitXor: '^',
};

/** List items that are shown. */
const SHOWN_ITEMS = 20;
/** Characters of a text that are shown. */
const SHOWN_CHARACTERS = 200;

/** How tightly a node holds together: what stands in it must be at least as tight, or gets parentheses. */
const LOOSE = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  bitOr: 5,
  bitXor: 6,
  bitAnd: 7,
  sum: 8,
  product: 9,
  sign: 10,
  pow: 11,
  primary: 12,
} as const;
/** What stands beside a comparison. */
const COMPARED = LOOSE.bitOr;

export function printPredicate(tree: Syntax): PrintedPredicate {
  const printer = new Printer();
  printer.write(tree, LOOSE.or);
  return { text: printer.text, positions: printer.positions };
}

class Printer {
  readonly positions = new Map<Syntax, number>();
  text = '';

  /** @param tightness the least that the surrounding operator asks for. */
  write(tree: Syntax, tightness: number): void {
    const parenthesised = tightnessOf(tree) < tightness;
    if (parenthesised) this.text += '(';
    this.positions.set(tree, this.text.length);
    this.#body(tree);
    if (parenthesised) this.text += ')';
  }

  #body(tree: Syntax): void {
    switch (tree.kind) {
      case 'column':
        this.text += printName(tree.name);
        return;
      case 'value':
        this.text += printValue(tree.value);
        return;
      case 'parameter':
        this.text += `@${tree.name}`;
        return;
      case 'and':
      case 'or':
        this.#chain(tree);
        return;
      case 'not':
        this.text += 'not ';
        this.write(tree.operand, LOOSE.not);
        return;
      case 'negate':
        // Two signs in a row are legal, but a sign before a number is part of the number.
        this.text += '-';
        this.write(tree.operand, tree.operand.kind === 'value' ? LOOSE.primary + 1 : LOOSE.sign);
        return;
      case 'invert':
        this.text += '~';
        this.write(tree.operand, LOOSE.sign);
        return;
      case 'isNull':
        this.write(tree.operand, COMPARED);
        this.text += ' is null';
        return;
      case 'compare':
        this.write(tree.left, COMPARED);
        this.text += ` ${COMPARE_SIGNS[tree.op]} `;
        this.write(tree.right, COMPARED);
        return;
      case 'between':
        this.write(tree.operand, COMPARED);
        this.text += ' between ';
        this.write(tree.low, COMPARED);
        this.text += ' and ';
        this.write(tree.high, COMPARED);
        return;
      case 'in':
      case 'inList':
      case 'inParameter':
        this.write(tree.operand, COMPARED);
        this.text += ' in ';
        this.#list(tree);
        return;
      case 'startsWith':
        this.text += 'startsWith(';
        this.write(tree.operand, COMPARED);
        this.text += ', ';
        this.write(tree.prefix, COMPARED);
        this.text += ')';
        return;
      case 'call':
        this.text += `${tree.name}(`;
        for (const [index, argument] of tree.args.entries()) {
          if (index > 0) this.text += ', ';
          this.write(argument, LOOSE.or);
        }
        this.text += ')';
        return;
      case 'like':
        this.write(tree.operand, COMPARED);
        this.text += tree.caseless ? ' ilike ' : ' like ';
        this.write(tree.pattern, COMPARED);
        if (tree.escape !== null) this.text += ` escape ${printValue(tree.escape)}`;
        return;
      case 'arithmetic': {
        const own = tightnessOf(tree);
        const isPower = tree.op === 'pow';
        this.write(tree.left, isPower ? LOOSE.primary : own);
        this.text += ` ${ARITHMETIC_SIGNS[tree.op]} `;
        this.write(tree.right, isPower ? LOOSE.sign : own + 1);
        return;
      }
      default:
        assertNever(tree);
    }
  }

  #chain(tree: Extract<Syntax, { kind: 'and' | 'or' }>): void {
    const tightness = LOOSE[tree.kind] + 1;
    for (const [index, term] of chainTerms(tree.kind, tree).entries()) {
      if (index > 0) this.text += ` ${tree.kind} `;
      this.write(term, tightness);
    }
  }

  #list(tree: Extract<Syntax, { kind: 'in' | 'inList' | 'inParameter' }>): void {
    if (tree.kind === 'inParameter') {
      this.text += `@${tree.name}`;
      return;
    }
    const length = tree.kind === 'in' ? tree.items.length : tree.list.length;
    this.text += '(';
    for (let index = 0; index < Math.min(length, SHOWN_ITEMS); index += 1) {
      if (index > 0) this.text += ', ';
      const item = tree.kind === 'in' ? tree.items[index] : undefined;
      if (item !== undefined) this.write(item, COMPARED);
      else if (tree.kind === 'inList') this.text += printValue(tree.list[index]);
    }
    this.text += length > SHOWN_ITEMS ? `, … ${String(length - SHOWN_ITEMS)} more)` : ')';
  }
}

function tightnessOf(tree: Syntax): number {
  switch (tree.kind) {
    case 'or':
    case 'and':
    case 'not':
      return LOOSE[tree.kind];
    case 'compare':
    case 'between':
    case 'in':
    case 'inList':
    case 'inParameter':
    case 'isNull':
    case 'like':
      return LOOSE.comparison;
    case 'arithmetic':
      return tightnessOfOperator(tree.op);
    case 'negate':
    case 'invert':
      return LOOSE.sign;
    case 'value':
      // What is negative begins with a sign.
      return typeof tree.value === 'number' || typeof tree.value === 'bigint'
        ? tree.value < 0 || Object.is(tree.value, -0)
          ? LOOSE.sign
          : LOOSE.primary
        : LOOSE.primary;
    case 'column':
    case 'parameter':
    case 'startsWith':
    case 'call':
      return LOOSE.primary;
  }
}

function tightnessOfOperator(op: ArithmeticOperator): number {
  switch (op) {
    case 'bitOr':
    case 'bitXor':
    case 'bitAnd':
    case 'pow':
      return LOOSE[op];
    case 'add':
    case 'sub':
      return LOOSE.sum;
    case 'mul':
    case 'div':
    case 'mod':
    case 'floorDiv':
      return LOOSE.product;
  }
}

/** A name as the text form writes it. */
export function printName(name: string): string {
  WORD.lastIndex = 0;
  const isWord = WORD.exec(name)?.[0] === name && !KEYWORDS.some((keyword) => keyword === name.toLowerCase());
  return isWord ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** A constant as the text form writes it; anything else as what it is. */
export function printValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return printText(value);
    case 'bigint':
      return `${String(value)}n`;
    case 'number':
      if (Number.isNaN(value)) return 'nan';
      if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
      // Written out, a large one would be read as an exact integer.
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value.toExponential();
      return Object.is(value, -0) ? '-0.0' : String(value);
    case 'object':
      if (value === null) return 'null';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? "'NaT'" : `'${value.toISOString()}'`;
      if (value instanceof Uint8Array) return `x'${Array.from(value.subarray(0, SHOWN_CHARACTERS), hexOf).join('')}'`;
      return 'an object';
    default:
      return String(value);
  }
}

const UNPRINTABLE = /[\\'\p{Cc}\p{Cs}]/gu;

function printText(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `'${shown.replace(UNPRINTABLE, escaped)}'`;
}

function escaped(unit: string): string {
  return unit === '\\' || unit === "'" ? `\\${unit}` : `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`;
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
