// Whether values of a type can be grouped by, and ordered: asked when a view is described, before anything is read.
import { UnsupportedError, dtypeFacts, isRawItem } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';

/** @throws UnsupportedError ERR_DTYPE for float128. */
export function checkGrouped(info: DTypeInfo, operation: string): void {
  if (isRawItem(info)) throw new UnsupportedError('ERR_DTYPE', info.name, `${operation}: ${noValue(info)}`);
}

/** @throws UnsupportedError ERR_DTYPE for binary and float128. */
export function checkOrdered(info: DTypeInfo): void {
  if (!dtypeFacts(info).orders) throw noOrder(info, 'orderBy');
}

export function noOrder(info: DTypeInfo, operation: string): UnsupportedError {
  const reason = isRawItem(info) ? noValue(info) : `${info.name} values have no order`;
  return new UnsupportedError('ERR_DTYPE', info.name, `${operation}: ${reason}`);
}

const noValue = ({ name }: DTypeInfo): string => `${name} has no JavaScript value`;
