// The caps that readers ask before they allocate: a few hostile bytes must not make a huge allocation.
import { LimitError } from '../errors/errors.ts';

export interface Limits {
  /** Bytes of a manifest, footer or BSON document. */
  readonly maxMetadataBytes: number;
  /** Of a columna file. */
  readonly maxColumns: number;
  /** Records of a colstore file, row groups of a columna file. */
  readonly maxRecords: number;
  /** Bytes of one decoded page. */
  readonly maxPageBytes: number;
  /** Bytes that one read decodes: a few of a file may stand for very many. */
  readonly maxDecodedBytes: number;
}

/** Far above what real files need, far below what hurts. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  maxMetadataBytes: 256 * 1024 * 1024,
  maxColumns: 1_000_000,
  maxRecords: 100_000_000,
  maxPageBytes: 256 * 1024 * 1024,
  maxDecodedBytes: 4 * 1024 * 1024 * 1024,
});

/**
 * Passes a value at or below its limit.
 * @throws LimitError ERR_LIMIT (or the code given) with the limit and the value.
 */
export function checkLimit(
  what: string,
  value: number,
  limit: number,
  code: 'ERR_LIMIT' | 'ERR_METADATA_TOO_LARGE' = 'ERR_LIMIT',
): void {
  if (!(value <= limit)) throw new LimitError(code, what, limit, value);
}
