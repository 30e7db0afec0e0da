// Bytes of a file that were read as a whole, in memory of whoever read them.
import { MemorySource } from '../memory-source.ts';
import { checkRead } from '../source-checks.ts';

export class HeldBytes extends MemorySource {
  override readonly canView: boolean = true;

  /** A copy: a write into it reaches nobody. @throws ArgumentError, ClosedError. */
  override view(byteOffset: number, byteLength: number): Uint8Array<ArrayBuffer> {
    checkRead(this, 'view', byteOffset, byteLength);
    return this.bytes.slice(byteOffset, byteOffset + byteLength);
  }
}
