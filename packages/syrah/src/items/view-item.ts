// Copy-free views of an item's arrays, over the private windows of the mapping.
import { CannotViewError } from '@colkit/io';
import type { ArrayPlace } from '../layout/array-index.ts';
import { isText } from '../layout/dtype.ts';
import type { SyrahArray } from '../layout/dtype.ts';
import { arrayOver } from './array-values.ts';
import { alignmentOf } from './copy-plan.ts';
import type { PhaseWindows } from './phase-windows.ts';

/** @throws CannotViewError ERR_NOT_VIEWABLE for text, ERR_NOT_MAPPED, ERR_VIEW_TOO_LARGE. */
export function viewPlace(windows: PhaseWindows, { dtype, byteOffset, byteLength }: ArrayPlace, item: number, key: string): SyrahArray {
  if (isText(dtype)) throw new CannotViewError('ERR_NOT_VIEWABLE', `key ${JSON.stringify(key)} of item ${String(item)} is text, which is decoded`, 'read it with getArray');
  return arrayOver(dtype, windows.view(byteOffset, byteLength, alignmentOf(dtype)));
}
