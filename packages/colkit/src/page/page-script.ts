// The bundle of ./browser, which the build puts beside the built code.
import { readFile } from 'node:fs/promises';

export async function pageScript(): Promise<string> {
  return readFile(new URL('./inspector-page.js', import.meta.url), 'utf8');
}
