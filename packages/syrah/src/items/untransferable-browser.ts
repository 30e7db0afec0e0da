// The same name as untransferable.ts for browsers, which know no such mark: there a buffer that is put on a transfer
// list takes along the small items that share it.
export function markAsUntransferable(): void {
  // not known
}
