// A good file -> damaged twins of it, for sweeps: cut off at every length, and changed at every byte. What a reader may
// do with a twin is decided by the caller; here is only told apart what it did: a result, or an error of the family.
// Any other exception fails the sweep and names the damage.

export interface Damage {
  /** 'cut to 17 bytes', 'byte 5 ^ 0xff'. */
  readonly label: string;
  /** The first byte that differs, or where the cut is. */
  readonly byteOffset: number;
  readonly bytes: Uint8Array;
}

export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: Error & { readonly code: string } };

/** Every proper prefix, the empty one included. */
export function* truncations(file: Uint8Array, step = 1): Generator<Damage> {
  for (let length = 0; length < file.length; length += step)
    yield { label: `cut to ${String(length)} bytes`, byteOffset: length, bytes: file.slice(0, length) };
}

/**
 * One of so many damages is tried, all of them in a long run (COLKIT_DAMAGES=2 or more). Of a file whose layout
 * TypeScript reads even with the addon, fewer with it.
 */
export function damageStep(isReadByAddon: boolean): number {
  if (Number(process.env['COLKIT_DAMAGES'] ?? 1) > 1) return 1;
  return !isReadByAddon && process.env['COLKIT_BACKEND'] === 'native' ? 7 : 3;
}

/** Every byte, or one of `step`, changed by exclusive-or with each of `masks`: all bits, the lowest, the highest. */
export function* byteFlips(
  file: Uint8Array,
  masks: readonly number[] = [0xff, 0x01, 0x80],
  step = 1,
): Generator<Damage> {
  for (let byteOffset = 0; byteOffset < file.length; byteOffset += step) {
    for (const mask of masks) {
      const bytes = file.slice();
      bytes[byteOffset] = (bytes[byteOffset] ?? 0) ^ mask;
      yield { label: `byte ${String(byteOffset)} ^ 0x${mask.toString(16)}`, byteOffset, bytes };
    }
  }
}

/** Runs `attempt`; an error that `isExpected` does not know is thrown again with the damage in its message. */
export async function outcomeOf<T>(
  damage: Damage,
  attempt: (bytes: Uint8Array) => T | Promise<T>,
  isExpected: (error: unknown) => boolean,
): Promise<Outcome<T>> {
  try {
    return { kind: 'value', value: await attempt(damage.bytes) };
  } catch (error) {
    if (isExpected(error)) return { kind: 'error', error: error as Error & { code: string } };
    throw new Error(`${damage.label}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`, {
      cause: error,
    });
  }
}
