// Where bytes stand in a file, so that every refusal can say it. Passed down, never stored in a module.
import { CorruptFileError } from '@colkit/io';
import type { CorruptFileDetails } from '@colkit/io';

export interface FileLocation {
  readonly path: string;
  readonly region: string;
  /** Where the region starts in the file. */
  readonly byteOffset: number;
  readonly column?: string;
  readonly rowGroup?: number;
  readonly page?: number;
}

type CorruptCode = ConstructorParameters<typeof CorruptFileError>[0];

/** An error about the bytes at `byteOffset` of a region. */
export function corrupt(
  code: CorruptCode,
  location: FileLocation,
  byteOffset: number,
  expected: string,
  found: string | number,
): CorruptFileError {
  const details: CorruptFileDetails = {
    ...location,
    byteOffset: location.byteOffset + byteOffset,
    expected,
    found: String(found),
  };
  return new CorruptFileError(code, details);
}
