// The same name as provided-reading.ts: programs that use a Sync entry point have the part at once.
import * as readers from './readers.ts';
import { part } from './reading-browser.ts';

export function provideTableReading(): void {
  part.provide(readers);
}
