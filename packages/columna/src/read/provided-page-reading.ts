// For Sync entry points, which cannot wait until page-reading.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function providePageReading(): void {
  // In builds for browsers it does something.
}
