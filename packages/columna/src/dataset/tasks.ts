// Splits of datasets that are worked on.
import { batchesOfTask, partialOf, tableOfTask } from '@colkit/table';
import type {
  ColumnsResult,
  OpenTaskOptions,
  PartialState,
  PartialTask,
  Table,
  TableTypes,
  Task,
  TaskOptions,
} from '@colkit/table';
import { cnaParts } from './cna-parts.ts';

/**
 * The matching rows of a split (`dataset.splits`), in batches of columns by name. The file is opened, and closed when
 * the loop ends.
 * @throws IoError ERR_FILE_CHANGED where the file is not the one that the split was made of; ArgumentError for what is
 * no split, or a path that is not `within`; QueryError; what reading throws.
 */
export function runTask(
  task: Task,
  options: TaskOptions = {},
): AsyncGenerator<ColumnsResult<TableTypes>, void, undefined> {
  return batchesOfTask(task, options, [cnaParts]);
}

/**
 * The matching rows of a split as a lazy table, for whatever a table can do (`toArrow`, `groupBy`, …). Its file is
 * opened when something is read, and closed by `close()`.
 * @throws as `runTask`.
 */
export async function openTask(task: Task, options: OpenTaskOptions = {}): Promise<Table> {
  return tableOfTask(task, options, [cnaParts]);
}

/**
 * What the matching rows of a split add up to, as plain JSON for `mergePartials`.
 * @throws as `runTask`; as `Table.agg`.
 */
export async function partial(task: PartialTask, options: TaskOptions = {}): Promise<PartialState> {
  return partialOf(task, options, [cnaParts]);
}
