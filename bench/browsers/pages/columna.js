import { open } from 'columna';
import { addNumbers, addTexts, addTicks, answer, sorted } from './sums.js';

let table;
answer({
  async open(url) {
    table = await open(url);
  },
  async 'first answer'() {
    return Number(await table.column('delay').sum());
  },
  async filter() {
    const found = await table.where("delay > 120 and origin == 'ORD'").select('delay', 'distance').toColumns();
    return [found.delay.length, addNumbers(found.delay), addNumbers(found.distance)];
  },
  async group() {
    const { columns } = await table.groupBy('origin').agg({ total: { sum: 'delay' } });
    return sorted(Array.from(columns.origin, (name, k) => [name, Number(columns.total[k])]));
  },
  async 'all values'() {
    const { date, delay, distance, origin, destination } = await table.toColumns();
    return [addTicks(date, 1000), addNumbers(delay), addNumbers(distance), addTexts(origin), addTexts(destination)];
  },
});
