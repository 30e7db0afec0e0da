// For Sync entry points, which cannot wait until opening.ts is loaded.

/** Nothing to do: here it is imported by name. */
export function provideOpening(): void {
  // In builds for browsers it does something.
}
