// For Sync entry points of formats, which cannot wait until columns-reading.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function provideColumnReading(): void {
  // In builds for browsers it does something.
}
