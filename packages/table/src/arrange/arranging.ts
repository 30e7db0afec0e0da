// The rows of a view in another order, or the first ones of distinct values: where that is.
export { arrangedRows } from './arrange-rows.ts';
