// Which files are meant by a folder or a pattern, for the formats; Node only.
export { filesBelow, filesMatching, filesOfFolder, kindOfPath, lastFileOf } from './listing/list-files.ts';
export { localPath } from './source/paths/file-path.ts';
export { sortedNaturally } from './listing/natural-order.ts';
export { hasWildcards, nameMatcher } from './listing/wildcards.ts';
