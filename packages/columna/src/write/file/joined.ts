// Many small pieces of bytes -> few large ones, for calls that cost as much as writing some ten kilobytes.

/** Small pieces are joined up to this. */
const JOINED_BYTES = 1 << 20;

/** The same bytes in pieces of about a megabyte: many small ones are copied together, large ones pass as they are. */
export function* joined(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let byteLength = 0;
  const take = (): Uint8Array => {
    const whole = pending.length === 1 ? (pending[0] as Uint8Array) : new Uint8Array(byteLength);
    if (pending.length > 1)
      for (let i = 0, at = 0; i < pending.length; at += (pending[i] as Uint8Array).length, i++)
        whole.set(pending[i] as Uint8Array, at);
    pending = [];
    byteLength = 0;
    return whole;
  };
  for (const part of parts) {
    if (byteLength + part.length > JOINED_BYTES && byteLength > 0) yield take();
    pending.push(part);
    byteLength += part.length;
  }
  if (byteLength > 0) yield take();
}
