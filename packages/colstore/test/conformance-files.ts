// What the tests of conformance share: columns of a small file, as bytes and as values.

export const golden = (path: string): string => new URL(`./golden/${path}`, import.meta.url).pathname;

export const FORMS = ['flat', 'records'] as const;

export const plain = (columns: object): object => Object.assign(Object.create(null) as object, columns);
