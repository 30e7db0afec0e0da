// What the names of a predicate stand for, columns and parameters, and where in its text a mistake is.
import { ArgumentError, QueryError, attached, describeValue, isMap, nearestName, ofThisRealm } from '@colkit/io';
import type { ColumnRef } from '../bound-predicate.ts';
import { VALID_DATE, isInvalidDate, isPlainValue } from '../text/expression.ts';
import { printName } from '../text/print.ts';
import type { QueryParams } from '../text/query-params.ts';
import type { PlainValue, Syntax, SyntaxOf } from '../text/syntax.ts';

export class Scope {
  readonly #text: string;
  readonly #positions: ReadonlyMap<Syntax, number> | null;
  readonly #columns: ReadonlyMap<string, ColumnRef>;
  readonly #params: ReadonlyMap<unknown, unknown>;

  constructor(
    text: string,
    positions: ReadonlyMap<Syntax, number> | null,
    columns: readonly ColumnRef[] | ReadonlyMap<string, ColumnRef>,
    params: QueryParams,
  ) {
    this.#text = text;
    this.#positions = positions;
    this.#columns =
      columns instanceof Map
        ? (columns as ReadonlyMap<string, ColumnRef>)
        : new Map((columns as readonly ColumnRef[]).map((column) => [column.name, column]));
    this.#params = isMap(params) ? params : new Map(Object.entries(params));
  }

  column(tree: SyntaxOf<'column'>): ColumnRef {
    const column = this.#columns.get(tree.name);
    if (column === undefined) {
      const known = [...this.#columns.keys()];
      const nearest = nearestName(tree.name, known);
      const hint = nearest === null ? '' : `did you mean ${printName(nearest)}? `;
      throw this.mistyped(
        tree,
        `unknown column ${printName(tree.name)} (${hint}there are: ` +
          `${known.slice(0, 20).map(printName).join(', ')}${known.length > 20 ? ', …' : ''})`,
      );
    }
    return column;
  }

  /** The constant that a parameter stands for. */
  constant(tree: SyntaxOf<'parameter'>): PlainValue {
    const value = this.#parameter(tree.name, tree);
    if (!isPlainValue(value))
      throw this.mistyped(
        tree,
        `expected parameter ${JSON.stringify(tree.name)} to be a constant (lists: in @${tree.name}) but found ` +
          describeValue(value),
      );
    if (isInvalidDate(value))
      throw this.mistyped(
        tree,
        `expected parameter ${JSON.stringify(tree.name)} to be ${VALID_DATE} but found ${describeValue(value)}`,
      );
    return value;
  }

  /** The constants of a list that is given as it is or by a parameter. */
  list(tree: SyntaxOf<'inList' | 'inParameter'>): readonly PlainValue[] {
    const list = tree.kind === 'inList' ? tree.list : this.#listParameter(tree);
    return list.map(ofThisRealm).map((value, index) => {
      if (!isPlainValue(value))
        throw this.mistyped(
          tree,
          `expected constants in the list but found ${describeValue(value)} at index ${String(index)}`,
        );
      if (isInvalidDate(value))
        throw this.mistyped(
          tree,
          `expected ${VALID_DATE} in the list but found ${describeValue(value)} at index ${String(index)}`,
        );
      return value;
    });
  }

  #listParameter(tree: SyntaxOf<'inParameter'>): readonly unknown[] {
    const value = this.#parameter(tree.name, tree);
    const isList =
      Array.isArray(value) || value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    if (!isList)
      throw this.mistyped(
        tree,
        `expected parameter ${JSON.stringify(tree.name)} to be an array, a typed array or a Set but found ` +
          describeValue(value),
      );
    return [...attached(value as Iterable<unknown>, 'where', `parameter ${JSON.stringify(tree.name)}`)];
  }

  #parameter(name: string, tree: Syntax): unknown {
    if (!this.#params.has(name)) throw this.mistyped(tree, `no value for parameter @${name}`);
    return ofThisRealm(this.#params.get(name));
  }

  /** Text that is no date is a mistake in the predicate. */
  dated<T>(tree: Syntax, bind: () => T): T {
    try {
      return bind();
    } catch (error) {
      if (error instanceof ArgumentError)
        throw this.mistyped(tree, `expected ${error.expected} but found ${error.found}`);
      throw error;
    }
  }

  /** Where a text in double quotes stands for a name, as in SQL: what to write in its place; else the empty string. */
  nameHint(tree: Syntax): string {
    const isQuoted =
      tree.kind === 'value' && typeof tree.value === 'string' && this.#text[this.#positionOf(tree)] === '"';
    return isQuoted ? `; names take back-ticks: \`${tree.value.replaceAll('`', '``')}\`` : '';
  }

  /** Whether a constant is the name of a column in double quotes. */
  isQuotedName(tree: Syntax): boolean {
    return tree.kind === 'value' && this.nameHint(tree) !== '' && this.#columns.has(String(tree.value));
  }

  mistyped(tree: Syntax, message: string): QueryError {
    return new QueryError('ERR_QUERY_TYPE', this.#text, this.#positionOf(tree), message + this.nameHint(tree));
  }

  #positionOf(tree: Syntax): number {
    return Math.max(0, this.#positions?.get(tree) ?? tree.position);
  }
}
