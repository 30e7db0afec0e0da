// Where an item lies, whatever it is an item of.
import type { SyrahFile } from '../items/file.ts';
import type { ItemPlace, SyrahShards } from './shards.ts';

/** Its file, and its number there. @param item as of `getItem`. */
export function placeOf(file: SyrahFile | SyrahShards, item: number): ItemPlace {
  return 'locate' in file ? file.locate(item) : { path: file.path, item: file.itemNumber(item) };
}
