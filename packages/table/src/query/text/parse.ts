// The text of a predicate -> its tree, by recursive descent. From loose to tight: or, and, not, comparisons (chained: 1
// < a <= 5), | ^ & as in Python, + -, * / // %, sign and ~, **.
import { ArgumentError } from '@colkit/io';
import type { ArithmeticOperator, CompareOperator } from '../bound-predicate.ts';
import { FUNCTIONS, isFunction } from '../functions.ts';
import { distinctFrom, isOneCharacter, node } from './syntax.ts';
import type { Syntax } from './syntax.ts';
import { syntaxError, tokenize } from './tokenize.ts';
import type { Keyword, Sign, Token } from './tokenize.ts';

/** Longest text; longer lists go in as parameters. */
const MOST_CHARACTERS = 1_000_000;
/** Most parentheses, signs and `not`s within one another. */
const MOST_LEVELS = 200;

const COMPARISONS: ReadonlyMap<string, CompareOperator> = new Map([
  ['==', 'eq'],
  ['=', 'eq'],
  ['!=', 'ne'],
  ['<>', 'ne'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
]);
/** From loose to tight, as in Python: | ^ & and then + -, * / // %. */
const BITS: readonly ReadonlyMap<string, ArithmeticOperator>[] = [
  new Map([['|', 'bitOr']]),
  new Map([['^', 'bitXor']]),
  new Map([['&', 'bitAnd']]),
];
const SUMS: ReadonlyMap<string, ArithmeticOperator> = new Map([
  ['+', 'add'],
  ['-', 'sub'],
]);
const PRODUCTS: ReadonlyMap<string, ArithmeticOperator> = new Map([
  ['*', 'mul'],
  ['/', 'div'],
  ['//', 'floorDiv'],
  ['%', 'mod'],
]);

/**
 * @throws QueryError ERR_QUERY_SYNTAX with the position; ArgumentError for a text of more than a million characters;
 * LimitError for one that is nested too deeply.
 */
export function parsePredicate(text: string): Syntax {
  if (text.length > MOST_CHARACTERS)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'predicate',
      `at most ${String(MOST_CHARACTERS)} characters (long lists go in as parameters: in @list)`,
      String(text.length),
    );
  return new Parser(text).whole();
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #level = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  whole(): Syntax {
    if (this.#peek().kind === 'end')
      throw syntaxError(this.#text, this.#text.length, 'expected a condition but found nothing');
    const tree = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected("'and', 'or' or the end");
    return tree;
  }

  #or(): Syntax {
    let left = this.#and();
    while (this.#takeKeyword('or')) left = node({ kind: 'or', left, right: this.#and() }, left.position);
    return left;
  }

  #and(): Syntax {
    let left = this.#not();
    while (this.#takeKeyword('and')) left = node({ kind: 'and', left, right: this.#not() }, left.position);
    return left;
  }

  #not(): Syntax {
    const { position } = this.#peek();
    if (!this.#takeKeyword('not')) return this.#comparison();
    return this.#nested(() => node({ kind: 'not', operand: this.#not() }, position));
  }

  #comparison(): Syntax {
    const first = this.#value();
    const tail = this.#keywordTail(first);
    if (tail !== null) return tail;
    let condition: Syntax | null = null;
    for (let left = first; ; ) {
      const op = this.#takeSign(COMPARISONS);
      if (op === null) return condition ?? first;
      const right = this.#value();
      const compare = node({ kind: 'compare', op, left, right }, left.position);
      condition = condition === null ? compare : node({ kind: 'and', left: condition, right: compare }, first.position);
      left = right;
    }
  }

  /** is null, in (…), between … and …, like …, each with or without `not`; null where none follows. */
  #keywordTail(operand: Syntax): Syntax | null {
    const { position } = operand;
    if (this.#takeKeyword('is')) {
      const negated = this.#takeKeyword('not');
      if (this.#takesWord('distinct')) {
        if (!this.#takesWord('from')) throw this.#unexpected("'from'");
        return negate(negated, distinctFrom(operand, this.#value()));
      }
      if (!this.#takeKeyword('null') && !this.#takeKeyword('none')) throw this.#unexpected("'null' or 'distinct from'");
      return negate(negated, node({ kind: 'isNull', operand }, position));
    }
    const negated = this.#takeKeyword('not');
    if (this.#takeKeyword('in')) return negate(negated, this.#list(operand));
    if (this.#takeKeyword('between')) {
      const low = this.#value();
      if (!this.#takeKeyword('and')) throw this.#unexpected("'and' between the two bounds");
      return negate(negated, node({ kind: 'between', operand, low, high: this.#value() }, position));
    }
    const caseless = this.#takesWord('ilike');
    if (caseless || this.#takesWord('like')) return negate(negated, this.#like(operand, caseless));
    if (negated) throw this.#unexpected("'in', 'between' or 'like'");
    return null;
  }

  #list(operand: Syntax): Syntax {
    const token = this.#peek();
    if (token.kind === 'parameter') {
      this.#next += 1;
      return node({ kind: 'inParameter', operand, name: token.value }, operand.position);
    }
    const end: Sign = this.#takes('[') ? ']' : ')';
    if (end === ')') this.#expectSign('(', "'(' or a parameter");
    const items: Syntax[] = [];
    while (!this.#takes(end)) {
      if (items.length > 0) {
        this.#expectSign(',', `',' or '${end}'`);
        // As in Python, a comma may stand behind the last one.
        if (this.#takes(end)) break;
      }
      items.push(this.#nested(() => this.#value()));
    }
    return node({ kind: 'in', operand, items }, operand.position);
  }

  #like(operand: Syntax, caseless: boolean): Syntax {
    const pattern = this.#value();
    let escape: string | null = null;
    if (this.#takesWord('escape')) {
      const token = this.#peek();
      if (token.kind !== 'text' || !isOneCharacter(token.value)) throw this.#unexpected("one character, such as '!'");
      this.#next += 1;
      escape = token.value;
    }
    return node({ kind: 'like', operand, pattern, caseless, escape }, operand.position);
  }

  /** What is compared: by the bits of integers, or by conditions (`(a > 1) & (b < 5)`). */
  #value(level = 0): Syntax {
    const operators = BITS[level];
    if (operators === undefined) return this.#sum();
    let left = this.#value(level + 1);
    for (;;) {
      const op = this.#takeSign(operators);
      if (op === null) return left;
      left = node({ kind: 'arithmetic', op, left, right: this.#value(level + 1) }, left.position);
    }
  }

  #sum(): Syntax {
    let left = this.#product();
    for (;;) {
      const op = this.#takeSign(SUMS);
      if (op === null) return left;
      left = node({ kind: 'arithmetic', op, left, right: this.#product() }, left.position);
    }
  }

  #product(): Syntax {
    let left = this.#signed();
    for (;;) {
      const op = this.#takeSign(PRODUCTS);
      if (op === null) return left;
      left = node({ kind: 'arithmetic', op, left, right: this.#signed() }, left.position);
    }
  }

  #signed(): Syntax {
    const { position } = this.#peek();
    if (this.#takes('+')) return this.#nested(() => this.#signed());
    if (this.#takes('~')) return this.#nested(() => node({ kind: 'invert', operand: this.#signed() }, position));
    if (!this.#takes('-')) return this.#power();
    const next = this.#peek();
    // A sign before a number is part of it; but -2 ** 2 is -(2 ** 2).
    const follower = this.#tokens[this.#next + 1];
    if (next.kind === 'number' && !(follower?.kind === 'sign' && follower.value === '**')) {
      this.#next += 1;
      return node({ kind: 'value', value: -next.value }, position);
    }
    if (next.kind === 'keyword' && (next.value === 'inf' || next.value === 'infinity')) {
      this.#next += 1;
      return node({ kind: 'value', value: -Infinity }, position);
    }
    return this.#nested(() => node({ kind: 'negate', operand: this.#signed() }, position));
  }

  #power(): Syntax {
    const base = this.#primary();
    if (!this.#takes('**')) return base;
    return this.#nested(() =>
      node({ kind: 'arithmetic', op: 'pow', left: base, right: this.#signed() }, base.position),
    );
  }

  #primary(): Syntax {
    const token = this.#peek();
    const { position } = token;
    this.#next += 1;
    switch (token.kind) {
      case 'number':
      case 'text':
      case 'bytes':
        return node({ kind: 'value', value: token.value }, position);
      case 'parameter':
        return node({ kind: 'parameter', name: token.value }, position);
      case 'name':
        if (this.#peek().kind === 'sign' && this.#takes('(')) return this.#call(token.value, position);
        return node({ kind: 'column', name: token.value }, position);
      case 'keyword': {
        const value = CONSTANTS.get(token.value);
        if (value !== undefined) return node({ kind: 'value', value }, position);
        break;
      }
      case 'sign':
        if (token.value !== '(') break;
        return this.#nested(() => {
          const inner = this.#or();
          this.#expectSign(')', "')'");
          return inner;
        });
      case 'end':
        break;
    }
    this.#next -= 1;
    throw this.#unexpected('a value, a column or a condition');
  }

  #call(name: string, position: number): Syntax {
    if (!isFunction(name)) {
      const known = Object.values(FUNCTIONS).map(({ shape }) => shape);
      throw syntaxError(
        this.#text,
        position,
        `unknown function ${JSON.stringify(name)} (there are: ${known.join(', ')})`,
      );
    }
    const { least, most, shape } = FUNCTIONS[name];
    const args = this.#nested(() => this.#arguments());
    const [operand, prefix] = args;
    if (operand === undefined || args.length < least || args.length > most)
      throw syntaxError(
        this.#text,
        this.#tokens[this.#next - 1]?.position ?? position,
        `expected ${shape} but found ${String(args.length)} arguments`,
      );
    if (name !== 'startsWith') return node({ kind: 'call', name, args }, position);
    return node({ kind: 'startsWith', operand, prefix: prefix ?? operand }, position);
  }

  #arguments(): readonly Syntax[] {
    const args: Syntax[] = [];
    while (!this.#takes(')')) {
      if (args.length > 0) this.#expectSign(',', "',' or ')'");
      args.push(this.#or());
    }
    return args;
  }

  #nested<T>(parse: () => T): T {
    this.#level += 1;
    if (this.#level > MOST_LEVELS)
      throw syntaxError(
        this.#text,
        this.#peek().position,
        `expected at most ${String(MOST_LEVELS)} levels of parentheses`,
      );
    const result = parse();
    this.#level -= 1;
    return result;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', position: this.#text.length, end: this.#text.length };
  }

  #takeKeyword(keyword: Keyword): boolean {
    const token = this.#peek();
    if (token.kind !== 'keyword' || token.value !== keyword) return false;
    this.#next += 1;
    return true;
  }

  /** A word that is an operator where one may stand, and a name elsewhere. */
  #takesWord(word: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'name' || this.#text.slice(token.position, token.end).toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #takes(sign: Sign): boolean {
    const token = this.#peek();
    if (token.kind !== 'sign' || token.value !== sign) return false;
    this.#next += 1;
    return true;
  }

  #takeSign<Op>(operators: ReadonlyMap<string, Op>): Op | null {
    const token = this.#peek();
    const op = token.kind === 'sign' ? operators.get(token.value) : undefined;
    if (op === undefined) return null;
    this.#next += 1;
    return op;
  }

  #expectSign(sign: Sign, expected: string): void {
    if (!this.#takes(sign)) throw this.#unexpected(expected);
  }

  #unexpected(expected: string): Error {
    const token = this.#peek();
    const found = token.kind === 'end' ? 'the end' : JSON.stringify(this.#text.slice(token.position, token.end));
    return syntaxError(this.#text, token.position, `expected ${expected} but found ${found}`);
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | number | null> = new Map<string, boolean | number | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
]);

function negate(negated: boolean, operand: Syntax): Syntax {
  return negated ? node({ kind: 'not', operand }, operand.position) : operand;
}
