// A process of the race: appends to a file through a name of its own, replaces it, or dies in the middle.
// Arguments: the name, 'append' | 'replace' | 'die', a number that its rows have, how many times.
import { setTimeout as sleep } from 'node:timers/promises';
import { append, appender, write } from '../../../src/index.ts';

const [path = '', what, number = '0', times = '1'] = process.argv.slice(2);
const rows = (time: number): { writer: Int32Array; time: Int32Array } => ({
  writer: new Int32Array(50).fill(Number(number)),
  time: new Int32Array(50).fill(time),
});

/** Until nobody else is at it. */
async function inTurn(action: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_LOCKED') throw error;
      await sleep(Math.random() * 5);
    }
  }
}

if (what === 'die') {
  const writer = await appender(path, { rowGroupSize: 50 });
  await writer.write(rows(0));
  await writer.write(rows(1));
  process.kill(process.pid, 'SIGKILL');
}
for (let time = 0; time < Number(times); time++) {
  await inTurn(() =>
    what === 'append'
      ? append(path, rows(time), { durability: 'none' })
      : write(path, rows(time), { overwrite: true, durability: 'none' }),
  );
  // Acknowledged.
  process.stdout.write(`${number} ${String(time)}\n`);
}
