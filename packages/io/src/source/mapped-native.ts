// A source and the addon -> the mapping that a kernel works on, where there is one.
import { ClosedError } from '../errors/errors.ts';
import { nativeBinding } from '../backend/native.ts';
import type { NativeBinding, NativeMapping } from '../backend/native.ts';
import type { Backend } from '../backend/settings.ts';
import type { RandomAccessSource } from './source.ts';

interface MappedNative {
  readonly binding: NativeBinding;
  readonly mapping: NativeMapping;
}

/**
 * Null for a source without a mapping, and where the addon is not there or not wanted.
 * @throws ClosedError naming the operation; IoError.
 */
export function mappedNative(
  source: RandomAccessSource,
  operation: string,
  option: Backend | undefined,
): MappedNative | null {
  if (source.closed) throw new ClosedError(operation, source.path);
  if (source.mapping === undefined) return null;
  const binding = nativeBinding(option);
  const mapping = binding === null ? null : source.mapping();
  return binding === null || mapping === null ? null : { binding, mapping };
}
