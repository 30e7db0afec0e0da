// The questions of the suite `raw` as plain loops over typed arrays. 64-bit integers are no numbers of JavaScript, and
// float16 and texts have no loop that anybody would write: those are left out.
import { syncTask } from '../../src/checkouts/peer.ts';
import type { Outputs, SuiteContext, Workload } from '../../src/checkouts/peer.ts';
import { WANTED, readRaw } from './data.ts';
import type { RawColumns } from './data.ts';

export function prepareRawLoops(context: SuiteContext): Workload {
  let columns: RawColumns | undefined;
  const loaded = (): RawColumns => columns as RawColumns;
  const { above, key, product } = WANTED;
  return {
    files: [],
    load: () => {
      columns = readRaw(context);
    },
    tasks: {
      'sum-f8': syncTask(() => sumFloat64(loaded().f8), value),
      'sum-f4': syncTask(() => sumFloat32(loaded().f4), value),
      'sum-i4': syncTask(() => sumInt32(loaded().i4), value),
      'max-f8': syncTask(() => maxFloat64(loaded().f8), value),
      'max-f4': syncTask(() => maxFloat32(loaded().f4), value),
      'two-terms': syncTask(() => {
        const { f8, i4 } = loaded();
        let count = 0;
        for (let row = 0; row < f8.length; row++) if ((f8[row] as number) > above && i4[row] === key) count++;
        return count;
      }, value),
      arithmetic: syncTask(() => {
        const { f8, i4 } = loaded();
        let count = 0;
        for (let row = 0; row < f8.length; row++) if ((f8[row] as number) * 2 + (i4[row] as number) > product) count++;
        return count;
      }, value),
      'sum-where': syncTask(() => {
        const { f8, f4 } = loaded();
        let sum = 0;
        for (let row = 0; row < f8.length; row++) if ((f4[row] as number) > 0) sum += f8[row] as number;
        return sum;
      }, value),
      'by-i4': syncTask(
        () => {
          const { f8, i4 } = loaded();
          const sums = new Map<number, number>();
          for (let row = 0; row < f8.length; row++) {
            const group = i4[row] as number;
            sums.set(group, (sums.get(group) ?? 0) + (f8[row] as number));
          }
          return sums;
        },
        (sums) => ({
          sums: Float64Array.from([...sums].sort(([one], [other]) => one - other).map(([, sum]) => sum)),
        }),
      ),
    },
    close: () => {
      columns = undefined;
    },
  };
}

function value(found: number): Outputs {
  return { value: Float64Array.of(found) };
}

function sumFloat64(values: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += values[row] as number;
  return sum;
}

function sumFloat32(values: Float32Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += values[row] as number;
  return sum;
}

function sumInt32(values: Int32Array): number {
  let sum = 0;
  for (let row = 0; row < values.length; row++) sum += values[row] as number;
  return sum;
}

function maxFloat64(values: Float64Array): number {
  let most = -Infinity;
  for (let row = 0; row < values.length; row++) if ((values[row] as number) > most) most = values[row] as number;
  return most;
}

function maxFloat32(values: Float32Array): number {
  let most = -Infinity;
  for (let row = 0; row < values.length; row++) if ((values[row] as number) > most) most = values[row] as number;
  return most;
}
