export function loadNative() {
  return { binding: null, path: null, reason: 'not built', tried: [] };
}
