// The same name as csv-lanes.ts for browsers: the thread that writes parses and encodes.
import type { BlockPlan } from '@colkit/table/csv';
import { EncodingLane } from './encoding-lane.ts';
import type { CsvLanes } from './encoding-lane.ts';

export function csvLanes(plan: BlockPlan): CsvLanes {
  return new EncodingLane(plan);
}
