// For Sync entry points, which cannot wait until reading.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function provideLayoutReading(): void {
  // In builds for browsers it does something.
}
