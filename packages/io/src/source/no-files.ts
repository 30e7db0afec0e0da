// What browsers lack, and what there is in its place.
import { UnsupportedError } from '../errors/errors.ts';

export function noFiles(feature: string): UnsupportedError {
  return new UnsupportedError(
    'ERR_FEATURE',
    feature,
    `${feature} needs Node; in a browser open a URL, a Blob or bytes, and write to a MemorySink`,
  );
}
