// Whether values of a type can be grouped by, and ordered: asked when a view is described, before anything is read.
import { UnsupportedError, dtypeFacts } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';

/** @throws UnsupportedError ERR_DTYPE for float128. */
export function checkGrouped({ name }: DTypeInfo, operation: string): void {
  if (name === 'float128')
    throw new UnsupportedError('ERR_DTYPE', name, `${operation}: float128 has no JavaScript value`);
}

/** @throws UnsupportedError ERR_DTYPE for binary and float128. */
export function checkOrdered(info: DTypeInfo): void {
  if (dtypeFacts(info).domain === 'bytes') throw noOrder(info, 'orderBy');
}

export function noOrder({ name }: DTypeInfo, operation: string): UnsupportedError {
  const reason = name === 'float128' ? 'float128 has no JavaScript value' : `${name} values have no order`;
  return new UnsupportedError('ERR_DTYPE', name, `${operation}: ${reason}`);
}
