// The same name as provided-reading.ts: programs that use a Sync entry point have the part at once.
import * as itemByItem from './item-by-item/read-item-by-item.ts';
import { part as itemByItemPart } from './item-by-item/reading-browser.ts';
import * as reading from './read-layout.ts';
import { part } from './reading-browser.ts';

export function provideLayoutReading(): void {
  part.provide(reading);
  itemByItemPart.provide(itemByItem);
}
