// Asked first by whatever reads: is the source still open?
import { ClosedError } from '@colkit/io';
import type { ColumnSource } from '../source.ts';

/** @throws ClosedError. */
export function requireOpen(source: ColumnSource, operation: string): void {
  if (source.closed) throw new ClosedError(operation, source.name);
}
