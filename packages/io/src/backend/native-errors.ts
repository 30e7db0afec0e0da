// What the addon throws (plain errors with a `code`) as errors of the family.
import { ArgumentError, ClosedError, IoError, OutOfRangeError } from '../errors/errors.ts';
import type { ColkitError } from '../errors/errors.ts';
import { messageOf, systemCode } from '../errors/system-error.ts';

/** Never throws itself: anything unknown becomes IoError ERR_READ with its cause. */
export function fromNative(operation: string, path: string, error: unknown): ColkitError {
  const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {};
  const message = messageOf(error);
  switch (systemCode(error)) {
    case 'ERR_INDEX_OUT_OF_RANGE':
      return new OutOfRangeError('rows', Number(fields['index']), Number(fields['length']), Number(fields['position']));
    case 'ERR_ARGUMENT':
      return argumentError('ERR_ARGUMENT', fields, message);
    case 'ERR_OUT_BUFFER':
      return argumentError('ERR_OUT_BUFFER', fields, message);
    case 'ERR_FILE_CHANGED':
      return new IoError('ERR_FILE_CHANGED', operation, path, message, error);
    case 'ERR_CLOSED':
      return new ClosedError(operation, path);
    default:
      return new IoError('ERR_READ', operation, path, message, error);
  }
}

function argumentError(
  code: 'ERR_ARGUMENT' | 'ERR_OUT_BUFFER',
  fields: Readonly<Record<string, unknown>>,
  message: string,
): ArgumentError {
  const { argument, expected, found } = fields;
  if (typeof argument === 'string' && typeof expected === 'string' && typeof found === 'string')
    return new ArgumentError(code, argument, expected, found);
  return new ArgumentError(code, 'request', 'one that the kernels take', message);
}
