// One answer to the colstore part's questions in a process of its own, so that its memory is its own: `colstore PATH`
// gathers from the file, `plain` loads everything and loops.
import { readFileSync } from 'node:fs';
import { backendInfo, open } from 'colstore';
import { readFlights } from './flights.ts';
import { randomRows } from './random.ts';
import { LATE_MINUTES, RANDOM_ROWS, SLICE, measure } from './tasks.ts';
import type { Answer, CandidateReport, TaskReport } from './tasks.ts';

const [candidate, path] = process.argv.slice(2);
const report = candidate === 'colstore' && path !== undefined ? await fromFile(path) : await fromArrays();
process.send?.(report);

async function fromFile(file: string): Promise<CandidateReport> {
  const start = performance.now();
  const table = (await open(file)).expectSchema({ date: 'datetime64[ms]', delay: 'int16', distance: 'int16' });
  const readyMilliseconds = performance.now() - start;
  const numbers = table.select('date', 'delay', 'distance');
  const indices = randomRows(RANDOM_ROWS, table.rowCount);
  const answer = async (view: typeof numbers): Promise<Answer> => {
    const { date, delay, distance } = await view.toColumns();
    return [date, delay, distance];
  };
  const tasks: TaskReport[] = [
    await measure('slice', () => answer(numbers.slice(SLICE.start, SLICE.end))),
    await measure('random', () => answer(numbers.take(indices))),
    await measure('mask', async () => {
      const { delay } = await table.select('delay').toColumns();
      return answer(numbers.filter(lateMask(delay)));
    }),
  ];
  table.close();
  return { readyMilliseconds, tasks, anonymousBytes: anonymousBytesNow(), backend: backendInfo().backend };
}

async function fromArrays(): Promise<CandidateReport> {
  const start = performance.now();
  const flights = await readFlights();
  const readyMilliseconds = performance.now() - start;
  const indices = randomRows(RANDOM_ROWS, flights.rowCount);
  const { date, delay, distance } = flights;
  const tasks: TaskReport[] = [
    await measure('slice', () => [
      date.slice(SLICE.start, SLICE.end),
      delay.slice(SLICE.start, SLICE.end),
      distance.slice(SLICE.start, SLICE.end),
    ]),
    await measure('random', () => {
      const [dates, delays, distances] = [
        new BigInt64Array(indices.length),
        new Int16Array(indices.length),
        new Int16Array(indices.length),
      ];
      for (let i = 0; i < indices.length; i++) {
        const row = indices[i] ?? 0;
        dates[i] = date[row] ?? 0n;
        delays[i] = delay[row] ?? 0;
        distances[i] = distance[row] ?? 0;
      }
      return [dates, delays, distances];
    }),
    await measure('mask', () => {
      const mask = lateMask(delay);
      let count = 0;
      for (const late of mask) count += late;
      const [dates, delays, distances] = [new BigInt64Array(count), new Int16Array(count), new Int16Array(count)];
      for (let row = 0, i = 0; row < mask.length; row++) {
        if (mask[row] === 0) continue;
        dates[i] = date[row] ?? 0n;
        delays[i] = delay[row] ?? 0;
        distances[i++] = distance[row] ?? 0;
      }
      return [dates, delays, distances];
    }),
  ];
  return { readyMilliseconds, tasks, anonymousBytes: anonymousBytesNow(), backend: 'plain JavaScript' };
}

function lateMask(delay: Int16Array): Uint8Array {
  const mask = new Uint8Array(delay.length);
  for (let row = 0; row < delay.length; row++) mask[row] = (delay[row] ?? 0) > LATE_MINUTES ? 1 : 0;
  return mask;
}

/**
 * Anonymous memory now: what the process holds of its own, without the pages of mapped files (which the system takes
 * back at will). Linux only.
 */
function anonymousBytesNow(): number | null {
  try {
    const line = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return line === null ? null : Number(line[1]) * 1024;
  } catch {
    return null;
  }
}
