// Bytes of a small file that were read as a whole: the addon works on a copy of them as it does on a mapping.
import { nativeBinding } from '../../backend/native.ts';
import type { NativeMapping } from '../../backend/native.ts';
import { HeldBytes } from './held-bytes.ts';

export class HeldSource extends HeldBytes {
  #mapping: NativeMapping | null = null;

  /** Null without the addon, and of no bytes. @throws ClosedError. */
  mapping(): NativeMapping | null {
    const { bytes } = this;
    if (bytes.length > 0) this.#mapping ??= nativeBinding()?.mapCopy(bytes) ?? null;
    return this.#mapping;
  }

  override close(): void {
    super.close();
    if (this.#mapping !== null) nativeBinding()?.closeMapping(this.#mapping);
    this.#mapping = null;
  }
}
