// What tests need of the io layer, in one place.
import { FileSource } from '@colkit/io';

export { CannotViewError, MemorySource, backendInfo, isColkitError } from '@colkit/io';

export function openFileSource(path: string): Promise<FileSource> {
  return FileSource.open(path);
}
