// Tables, columns and expressions that another copy of these packages gave: two versions of them, one in a bundle and
// one beside it, or a module registry that was reset. Their classes are not ours, and what they hold may be of another
// version: they are refused, and the reason is said.
import { describeValue, isByName } from '@colkit/io';

const OTHER = "of another copy of these packages ('npm ls @colkit/table' shows the copies)";

/** What is no table of ours, for an error message. */
export function describeNoTable(value: unknown): string {
  return isOther(value, 'view', 'toRows') ? `a table ${OTHER}` : describeValue(value);
}

/** What is neither a column of ours nor typed values. */
export function describeNoColumn(value: unknown): string {
  if (isOther(value, 'view', 'toArray')) return `a column ${OTHER}`;
  return isOther(value, 'info', 'values') ? `typed values ${OTHER}` : describeValue(value);
}

/** What is no expression of ours. */
export function describeNoExpression(value: unknown): string {
  return isOther(value, 'syntax', 'isIn') ? `an expression ${OTHER}` : describeValue(value);
}

/** Whether it can hold columns by name: what another copy's tables have are no columns. */
export function holdsColumns(value: object): value is Readonly<Record<string, unknown>> {
  return isByName(value) && !isOther(value, 'view', 'toRows');
}

/** An instance of a class that has both. Of ours it has been asked before. */
function isOther(value: unknown, first: string, second: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  return first in value && second in value;
}
