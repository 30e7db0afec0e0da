// What a value is in any realm: those of a context of node:vm, or of a frame of a page, are none of this one's classes.
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return tagOf(value) === 'Map';
}
