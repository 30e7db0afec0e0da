// What the system throws.
export const systemError = (code: string, kind: string): Error => Object.assign(new Error(`${code}: injected, ${kind}`), { code });
