// What a cast would make of the keys of files: of raw bytes nothing that is meant.
import { ArgumentError } from '@colkit/io';
import type { DatasetPart } from '../dataset.ts';
import { castOf } from './cast-spec.ts';
import type { CastSpec } from './cast-spec.ts';

/** @throws ArgumentError for raw bytes of float128 that would be cast as if they were the numbers. */
export function checkCast({ file, keys, process }: DatasetPart, cast: CastSpec | null): void {
  for (const { name, dtype } of file.schema)
    if (dtype === 'float128' && castOf(cast, name) !== null && process[keys.indexOf(name)] === null)
      throw new ArgumentError('ERR_ARGUMENT', `cast of ${JSON.stringify(name)}`, 'numbers', 'raw float128');
}
