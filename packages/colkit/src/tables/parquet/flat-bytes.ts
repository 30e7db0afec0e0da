// Values -> a FlatBuffer, for the little that is written in that form here: tables of small numbers, texts and lists.
// What a table refers to follows it, and so all offsets point forward.

/** A number of so many bytes; 0 is the same as none where the schema's default is 0. */
export interface FlatNumber {
  readonly kind: 'number';
  readonly bytes: 1 | 2 | 4;
  readonly value: number;
}

export type FlatObject =
  /** Its fields by their ids; null: not there. */
  | { readonly kind: 'table'; readonly fields: readonly (FlatNumber | FlatObject | null)[] }
  | { readonly kind: 'list'; readonly items: readonly FlatObject[] }
  | { readonly kind: 'text'; readonly text: string };

const OFFSET_BYTES = 4;

/** The bytes of a buffer with this root. */
export function flatBytes(root: FlatObject): Uint8Array {
  const writer = new FlatWriter();
  writer.reserve(OFFSET_BYTES);
  writer.refer(0, root);
  return writer.finish();
}

class FlatWriter {
  #view = new DataView(new ArrayBuffer(1024));
  #length = 0;

  /** Zeros, which may be written over. @returns where they begin. */
  reserve(byteLength: number): number {
    const start = this.#length;
    this.#length += byteLength;
    if (this.#length > this.#view.byteLength) {
      const grown = new Uint8Array(2 * this.#length);
      grown.set(new Uint8Array(this.#view.buffer, 0, start));
      this.#view = new DataView(grown.buffer);
    }
    return start;
  }

  /** Writes the object behind all others, and at `from` how far that is. */
  refer(from: number, to: FlatObject): void {
    this.#set(from, OFFSET_BYTES, this.#put(to) - from);
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#length);
  }

  #put(object: FlatObject): number {
    switch (object.kind) {
      case 'table':
        return this.#putTable(object.fields);
      case 'list':
        return this.#putList(object.items);
      case 'text':
        return this.#putText(object.text);
    }
  }

  /** In front of it the places of its fields, from its start. */
  #putTable(fields: readonly (FlatNumber | FlatObject | null)[]): number {
    let byteLength = OFFSET_BYTES;
    const places = fields.map((field) => {
      if (field === null) return 0;
      const bytes = field.kind === 'number' ? field.bytes : OFFSET_BYTES;
      const place = Math.ceil(byteLength / bytes) * bytes;
      byteLength = place + bytes;
      return place;
    });
    const placesBytes = 4 + 2 * fields.length;
    this.#align(placesBytes);
    const head = this.reserve(placesBytes);
    for (const [index, each] of [placesBytes, byteLength, ...places].entries()) this.#set(head + 2 * index, 2, each);
    const start = this.reserve(byteLength);
    this.#set(start, OFFSET_BYTES, start - head);
    for (const [id, field] of fields.entries()) {
      if (field === null) continue;
      const at = start + (places[id] as number);
      if (field.kind === 'number') this.#set(at, field.bytes, field.value);
      else this.refer(at, field);
    }
    return start;
  }

  #putList(items: readonly FlatObject[]): number {
    this.#align(0);
    const start = this.reserve(OFFSET_BYTES * (1 + items.length));
    this.#set(start, OFFSET_BYTES, items.length);
    for (const [index, item] of items.entries()) this.refer(start + OFFSET_BYTES * (1 + index), item);
    return start;
  }

  #putText(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.#align(0);
    const start = this.reserve(OFFSET_BYTES + bytes.length + 1);
    this.#set(start, OFFSET_BYTES, bytes.length);
    new Uint8Array(this.#view.buffer).set(bytes, start + OFFSET_BYTES);
    return start;
  }

  /** So that what follows `ahead` bytes lies at a multiple of four. */
  #align(ahead: number): void {
    this.reserve(-(this.#length + ahead) & (OFFSET_BYTES - 1));
  }

  #set(at: number, bytes: 1 | 2 | 4, value: number): void {
    if (bytes === 1) this.#view.setUint8(at, value);
    else if (bytes === 2) this.#view.setUint16(at, value, true);
    else this.#view.setUint32(at, value, true);
  }
}
