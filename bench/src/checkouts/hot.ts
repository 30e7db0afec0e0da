// The calls whose speed is promised or that everything goes through, in one list: `bench ab hot OTHER` runs all of them
// against another checkout.
import type { Comparison } from './ab.ts';
import { formatTime, table } from '../report/report.ts';

export interface HotPart {
  readonly suite: string;
  readonly candidate: string;
  readonly tasks: readonly string[];
  /** The suite's small data: where a run of the full data takes seconds and the question is the same. */
  readonly quick: boolean;
}

const part = (suite: string, candidate: string, tasks: string, quick = false): HotPart => ({
  suite,
  candidate,
  tasks: tasks.split(' '),
  quick,
});

const READS = 'column-at get-1 get-10 take-100 rows-10 open-colstore read-small scan-small open-syrah item array';
const WRITES = 'write-colstore write-colstore-cached write-columna write-columna-cached write-syrah write-syrah-cached';

/**
 * A million random rows, the same sorted, a hundred rows, two columns, filter, group-by, single items, batches of 32,
 * CSV, epochs, small calls and small writes.
 */
export const HOT: readonly HotPart[] = [
  part('w1', 'colstore/sync-x2', 'a-new b-new c-copy c-view d-view e-small f-open g-mask'),
  part('w1', 'colstore/async-x2', 'a-new e-small'),
  part('w1', 'colstore/records-sync-x2', 'a-new e-small', true),
  part(
    'w2',
    'columna/default',
    'csv write open pair all slice take filter group stream match computed either month parts product order',
    true,
  ),
  part('w2', 'columna/default-sync', 'pair filter group', true),
  part('w3a', 'syrah/sync', 'view get label batch-new'),
  part('w3a', 'syrah/loader-w0', 'epoch'),
  part('w3a', 'syrah/loader-w2', 'epoch'),
  part('w3b', 'syrah/sync', 'view get label batch-new batch-into'),
  part('w3b', 'syrah/async', 'get batch-new'),
  part('w3b', 'syrah/sync', 'write', true),
  part('w3b', 'syrah/loader-w0', 'epoch', true),
  part('w3b', 'syrah/loader-w2', 'epoch', true),
  part('calls', 'calls/sync', `${READS} view-slice view-column ${WRITES}`),
  part('calls', 'calls/async', `${READS} ${WRITES}`),
  part('calls', 'calls/sync-pread', READS),
];

/**
 * The parts with only the tasks that were asked for: a task's name, `suite/task`, or a candidate's name; nothing asked
 * for is everything.
 * @throws Error for a name that is nowhere.
 */
export function hotParts(wanted: readonly string[]): HotPart[] {
  const names = ({ suite, candidate }: HotPart, task: string): string[] => [task, `${suite}/${task}`, suite, candidate];
  const unknown = wanted.filter(
    (wish) => !HOT.some((each) => each.tasks.some((task) => names(each, task).includes(wish))),
  );
  if (unknown.length > 0) throw new Error(`not in the list of hot calls: ${unknown.join(', ')}`);
  if (wanted.length === 0) return [...HOT];
  return HOT.flatMap((each) => {
    const tasks = each.tasks.filter((task) => names(each, task).some((name) => wanted.includes(name)));
    return tasks.length === 0 ? [] : [{ ...each, tasks }];
  });
}

/** A line a task. B / A above 1: B takes longer. */
export function comparisonTable(
  comparisons: readonly Comparison[],
  label = (found: Comparison): string => found.task,
): string {
  const rows = comparisons.map((found) => {
    const { median, low, high } = found.ratio;
    const verdict = low > 1 ? 'A is faster' : high < 1 ? 'B is faster' : 'no difference seen';
    return [
      label(found),
      formatTime(found.a.median),
      formatTime(found.b.median),
      `${median.toFixed(3)} (${low.toFixed(3)} - ${high.toFixed(3)})`,
      verdict,
    ];
  });
  return table(['task', 'A', 'B', 'B / A (95 %)', ''], rows);
}
