// Loops over packed numbers and texts in the addon, for whoever has the same loop in TypeScript too.
import { nativeBinding, nativeBindingIfLoaded } from './native.ts';
import type { NativeBinding } from './native.ts';

export type NumberKernels = Pick<
  NativeBinding,
  | 'selectWithin'
  | 'sumByCode'
  | 'spreadTexts'
  | 'bestTexts'
  | 'numberTexts'
  | 'moveSlots'
  | 'numberPairs'
  | 'foldByGroup'
>;

export type EncodeKernels = Pick<
  NativeBinding,
  | 'normalizeItems'
  | 'normalizeGaps'
  | 'blockRanges'
  | 'countBuckets'
  | 'runStarts'
  | 'codeTexts'
  | 'bestTexts'
  | 'printTexts'
  | 'joinCodes'
  | 'packBits'
  | 'trainSymbols'
  | 'spellTexts'
  | 'deflateBlocks'
  | 'spreadTexts'
  | 'splitDecimals'
  | 'floatRange'
  | 'distinctNumbers'
  | 'distinctWords'
  | 'entropyBits'
  | 'joinBuckets'
  | 'codeBins'
  | 'packBinOffsets'
  | 'cheapestRange'
  | 'blockLayouts'
  | 'packBlocks'
  | 'packInside'
  | 'findOthers'
  | 'spreadCodes'
  | 'packPresent'
  | 'mapPresent'
  | 'scatterCodes'
  | 'mapCodes'
>;

export type TextInputKernels = Pick<NativeBinding, 'findCsvCells' | 'parseCsvColumns' | 'findJsonMembers'>;

/** The addon's parsers of CSV and JSON (native/writer-loops.d.cts); null where it is not there or not wanted. */
export function textInputKernels(): TextInputKernels | null {
  return nativeBindingIfLoaded();
}

/** The addon's loops for those who write (native/writer-loops.d.cts); null where it is not there or not wanted. */
export function encodeKernels(): EncodeKernels | null {
  return nativeBindingIfLoaded();
}

/** The addon's loops over numbers (native/reader-loops.d.cts); null where it is not there or not wanted. */
export function numberKernels(): NumberKernels | null {
  return nativeBinding(undefined);
}
