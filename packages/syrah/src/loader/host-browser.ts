// The same names as host.ts for browsers.

/** Threads that run at once. */
export function parallelism(): number {
  return (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ?? 1;
}

/** A URL, relative to the page, as what import() takes. */
export function moduleUrl(given: string | URL): string {
  return new URL(given, (globalThis as { location?: { href: string } }).location?.href).href;
}
