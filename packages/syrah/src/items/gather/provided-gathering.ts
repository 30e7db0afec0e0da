// For Sync entry points, which cannot wait until gathering.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function provideGathering(): void {
  // In builds for browsers it does something.
}
