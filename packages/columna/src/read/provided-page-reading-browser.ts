// The same name as provided-page-reading.ts: programs that use a Sync entry point have the part at once.
import * as readers from './page-readers.ts';
import { part } from './page-reading-browser.ts';

export function providePageReading(): void {
  part.provide(readers);
}
