// The same names as disk-blocks.ts for browsers, which have no folders.
import { UnsupportedError } from '../../errors/errors.ts';
import type { DiskBlocks } from './disk-blocks.ts';

/** Always throws UnsupportedError ERR_FEATURE. */
export function openDiskBlocks(): DiskBlocks {
  throw new UnsupportedError('ERR_FEATURE', 'cache.folder', 'a cache in files needs Node; in a browser give { bytes }');
}
