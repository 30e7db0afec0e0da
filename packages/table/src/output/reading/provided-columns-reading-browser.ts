// The same name as provided-columns-reading.ts: programs that use a Sync entry point have the part at once.
import { columns } from './columns-reading-browser.ts';
import * as source from './read-source.ts';

export function provideColumnReading(): void {
  columns.provide(source);
}
