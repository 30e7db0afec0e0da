// The same name as provided-opening.ts: programs that use a Sync entry point have the part at once.
import { provideTableReading } from '@colkit/table';
import * as opening from './opened-table.ts';
import { part } from './opening-browser.ts';

export function provideOpening(): void {
  part.provide(opening);
  provideTableReading();
}
