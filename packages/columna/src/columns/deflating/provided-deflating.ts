// For Sync entry points, which cannot wait until deflating.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function provideDeflating(): void {
  // In builds for browsers it does something.
}
