// How options are described and checked, for all packages.
export { checkOptions, omitOptions, optionsNow, pickOptions } from './check-options.ts';
export { nearestName } from '../errors/nearest-name.ts';
export { isByName, option } from './option-kinds.ts';
export type { OptionKind, OptionSet } from './option-kinds.ts';
