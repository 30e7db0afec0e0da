// The same name as provided-deflating.ts: programs that use a Sync entry point have the part at once.
import { part } from './deflating-browser.ts';
import * as fflate from './fflate.ts';

export function provideDeflating(): void {
  part.provide(fflate);
}
