// Values of reports and rows -> JSON, which has no 64-bit integers, no NaN and no bytes. One rule for all verbs.

/** Integers beyond ±2^53 as decimal text, NaN and infinities as text, bytes in base64, Maps as objects. */
export function toJson(value: unknown, indent?: number): string {
  // A Buffer says what it is in JSON before anybody is asked: `this` still holds the bytes.
  return JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, name: string, each: unknown) {
      const own = this[name];
      return jsonValue(own instanceof Uint8Array ? own : each);
    },
    indent,
  );
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
