// The same names as provided-reading.ts: programs that use a Sync entry point have the parts at once.
import * as source from './read-source.ts';
import * as readers from './readers.ts';
import { columns, part } from './reading-browser.ts';

export function provideTableReading(): void {
  part.provide(readers);
}

export function provideColumnReading(): void {
  columns.provide(source);
}
