// What the loader asks of where it runs.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Threads that run at once. */
export function parallelism(): number {
  return availableParallelism();
}

/** A path or URL as what import() takes. */
export function moduleUrl(given: string | URL): string {
  if (given instanceof URL) return given.href;
  return /^[a-z][a-z0-9+.-]+:/i.test(given) ? given : pathToFileURL(resolve(given)).href;
}
