// What compressed text is, and the error for some that is damaged or cut.
import { CorruptFileError } from '@colkit/io';

export type Compression = 'gzip' | 'zstd';

export function damagedData(name: string, compression: Compression, error: unknown): CorruptFileError {
  return new CorruptFileError('ERR_TRUNCATED', {
    path: name,
    region: `${compression} data`,
    byteOffset: 0,
    expected: 'a complete stream',
    found: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}
