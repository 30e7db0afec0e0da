/** Whether two arrays hold the same bytes. */
export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  let areSame = one.length === other.length;
  for (let at = 0; areSame && at < one.length; at += 1) areSame = one[at] === other[at];
  return areSame;
}
