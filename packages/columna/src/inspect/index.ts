// columna/inspect: what colkit's page about a file shows: an overview of it, and what a predicate would skip, told
// without the file.
export { overview } from './overview.ts';
export type { Overview, OverviewOptions } from './overview.ts';
export { Pushdown } from './pushdown.ts';
export type { GroupOutcome, PushdownFooter, PushdownOutcome, PushdownStats, Skipped } from './pushdown.ts';
export { pushdownFooter } from './pushdown-footer.ts';
export type { PushdownFooterOptions } from './pushdown-footer.ts';
