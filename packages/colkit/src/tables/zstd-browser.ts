// The same name as zstd.ts for browsers, which have none.

export function zstdOfRuntime(): null {
  return null;
}
