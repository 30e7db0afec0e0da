// Which keys had lists of several texts, of which a .syr file makes one: that is told.
import type { InputEntries, KeyNote } from './item-exchange.ts';

export class JoinedTexts {
  readonly #keys = new Set<string>();

  see(entries: InputEntries): void {
    for (const [key, value] of entries)
      if (Array.isArray(value) && value.length > 1 && typeof value[0] === 'string') this.#keys.add(key);
  }

  notes(): readonly KeyNote[] {
    return Array.from(this.#keys, (key) => ({ key, note: 'lists of several texts became one text each, joined' }));
  }
}
