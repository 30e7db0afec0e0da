// What the tests of columns share: a small table, and the message of an error.
import { tableFrom } from '../support/tables.ts';

export const plain = tableFrom({
  b: ['bool', [true, false, true]],
  i8: ['int8', [-128, 0, 127]],
  u16: ['uint16', [0, 1, 65535]],
  i32: ['int32', [-1, 0, 1]],
  i64: ['int64', [-(2n ** 63n), 0n, 2n ** 63n - 1n]],
  u64: ['uint64', [0n, 1n, 2n ** 64n - 1n]],
  f16: ['float16', [0.5, -0, Number.NaN]],
  f32: ['float32', [0.5, -0, Infinity]],
  f64: ['float64', [0.1, Number.NaN, -0]],
  t: ['datetime64[us]', [0n, -1n, -(2n ** 63n)]],
  d: ['timedelta64[s]', [1n, 2n, 3n]],
  s: ['S3', ['a', '', 'abc']],
  u: ['U2', ['é', '😀x', '']],
  str: ['string', ['x', '', 'zz']],
  bin: ['binary', [Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)]],
});
