import { AsyncDuckDB, DuckDBDataProtocol, VoidLogger } from '@duckdb/duckdb-wasm';
import { addNumbers, addTexts, answer, sorted } from './sums.js';

let connection;
let database;
const rowsOf = async (sql) => connection.query(sql);

answer({
  async load() {
    database = new AsyncDuckDB(new VoidLogger(), new Worker('/duckdb-browser-eh.worker.js'));
    await database.instantiate('/duckdb-eh.wasm');
  },
  async open(url) {
    await database.registerFileURL('flights.parquet', url, DuckDBDataProtocol.HTTP, false);
    connection = await database.connect();
  },
  async 'first answer'() {
    return Number((await rowsOf("SELECT sum(delay)::DOUBLE AS s FROM 'flights.parquet'")).getChild('s').get(0));
  },
  async filter() {
    const found = await rowsOf("SELECT delay, distance FROM 'flights.parquet' WHERE delay > 120 AND origin = 'ORD'");
    const [delay, distance] = [found.getChild('delay').toArray(), found.getChild('distance').toArray()];
    return [delay.length, addNumbers(delay), addNumbers(distance)];
  },
  async group() {
    const found = await rowsOf("SELECT origin, sum(delay)::DOUBLE AS total FROM 'flights.parquet' GROUP BY origin");
    const [origin, total] = [found.getChild('origin'), found.getChild('total')];
    return sorted(Array.from(origin, (name, k) => [name, Number(total.get(k))]));
  },
  async 'all values'() {
    const found = await rowsOf("SELECT * FROM 'flights.parquet'");
    const valuesOf = (name) => Array.from(found.getChild(name));
    return [
      addNumbers(valuesOf('date')),
      addNumbers(found.getChild('delay').toArray()),
      addNumbers(found.getChild('distance').toArray()),
      addTexts(valuesOf('origin')),
      addTexts(valuesOf('destination')),
    ];
  },
});
