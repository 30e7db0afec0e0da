// The same names as untransferable.ts for browsers, which know no such mark: a buffer that is put on a transfer list
// would take along, and empty, other items that share it. There every item has memory of its own.
export const LARGEST_SHARE_BYTES = 0;

export function markAsUntransferable(): void {
  // not known
}
