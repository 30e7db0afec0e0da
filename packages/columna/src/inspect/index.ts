// columna/inspect: what a predicate would skip, for whoever shows it without the file, as colkit's page about a file
// does.
export { Pushdown } from './pushdown.ts';
export type { GroupOutcome, PushdownFooter, PushdownOutcome, PushdownStats, Skipped } from './pushdown.ts';
export { pushdownFooter } from './pushdown-footer.ts';
export type { PushdownFooterOptions } from './pushdown-footer.ts';
