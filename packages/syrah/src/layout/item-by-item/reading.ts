// What reads the metadata of the oldest files: where that is. In builds for browsers such a file loads it.
export { readItemByItem } from './read-item-by-item.ts';
