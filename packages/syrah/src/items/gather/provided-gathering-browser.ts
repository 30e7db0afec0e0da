// The same name as provided-gathering.ts: programs that use a Sync entry point have the part at once.
import * as float128 from './float128.ts';
import { part as float128Part } from './float128-browser.ts';
import * as gathering from './gather-items.ts';
import { part } from './gathering-browser.ts';

export function provideGathering(): void {
  part.provide(gathering);
  float128Part.provide(float128);
}
