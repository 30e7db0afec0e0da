// Questions at random about rows that match a predicate: what DuckDB is asked, how a table of ours is, and rows of
// values from both that are the same where the answers are.
import { INTEGERS, STRINGS, huge } from './expression.mjs';

const KEYS = ['i32n', 'text', 'textn', 'flagn', 'flag', 'u8', 'dayn', 'sorted', 'key', 'i64n'];
const ORDERS = [
  'i32n',
  'i64n',
  'f64n',
  'f64',
  'f32',
  'textn',
  'key',
  'dayn',
  'flag',
  'flagn',
  'sorted',
  'u8',
  'moment',
];
const DOUBLES = ['f64', 'f64n', 'f32'];
/** Sums of doubles differ in their last digits: DuckDB's are not exact. */
const CLOSE = 1e-9;

/** Days and microseconds as numbers, as ours are. */
function ticks(column) {
  if (column === 'day' || column === 'dayn') return `(${column} - DATE '1970-01-01')`;
  return column === 'moment' ? `epoch_us(${column})` : column;
}

const idsOf = async (view) => Array.from(await view.column('id').toArray(), (id) => [id]);

export class Questions {
  #random;
  #expressions;

  constructor(random, expressions) {
    this.#random = random;
    this.#expressions = expressions;
  }

  /** `{ text, sql, ask }`. */
  next(rowCount) {
    const random = this.#random;
    const where = this.#expressions.condition();
    const draws = [
      ...[this.#rows, this.#rows, this.#count, this.#totals, this.#groups, this.#groups],
      ...[this.#ordered, this.#distinct, this.#slice, this.#page, this.#computed, this.#computed],
    ];
    const question = random.pick(draws).call(this, where, rowCount);
    return { ...question, text: `${question.text} where ${where.ours}` };
  }

  #rows({ ours, sql }) {
    return { text: 'rows', sql: `select id from t where ${sql} order by id`, ask: (table) => idsOf(table.where(ours)) };
  }

  #count({ ours, sql }) {
    return {
      text: 'count',
      sql: `select count(*) from t where ${sql}`,
      ask: async (table) => [[await table.where(ours).count()]],
    };
  }

  #slice({ ours, sql }, rowCount) {
    const start = this.#random.below(rowCount);
    const end = start + this.#random.below(rowCount);
    return {
      text: `slice(${start}, ${end})`,
      sql: `select id from t where id >= ${start} and id < ${end} and ${sql} order by id`,
      ask: (table) => idsOf(table.slice(start, end).where(ours)),
    };
  }

  #page({ ours, sql }) {
    const start = this.#random.below(50);
    const end = start + 1 + this.#random.below(100);
    return {
      text: `where, then slice(${start}, ${end})`,
      sql: `select id from t where ${sql} order by id limit ${end - start} offset ${start}`,
      ask: (table) => idsOf(table.where(ours).slice(start, end)),
    };
  }

  #ordered({ ours, sql }) {
    const random = this.#random;
    const by = random.some(2, () => ({ column: random.pick(ORDERS), descending: random.chance(0.5) }));
    const rows = random.pick([5, 50, 1_000_000]);
    const words = by.map(({ column, descending }) => {
      const isDouble = DOUBLES.includes(column);
      // Zeros of both signs are equal; NaN comes behind the numbers, and null behind that.
      const value = isDouble ? `(case when ${column} = 0 then 0 else ${column} end)` : column;
      return `${column} is null, ${isDouble ? `isnan(${column}), ` : ''}${value} ${descending ? 'desc' : 'asc'}`;
    });
    return {
      text: `orderBy(${JSON.stringify(by)}), ${rows} rows`,
      sql: `select id from t where ${sql} order by ${words.join(', ')}, id limit ${rows}`,
      ask: (table) =>
        idsOf(
          table
            .where(ours)
            .orderBy(...by)
            .head(rows),
        ),
    };
  }

  #distinct({ ours, sql }) {
    const by = this.#keys(KEYS, 2);
    return {
      text: `distinct(${by})`,
      sql: `select min(id) from t where ${sql} group by ${by.join(', ')} order by 1`,
      ask: (table) => idsOf(table.where(ours).distinct(...by)),
    };
  }

  #totals({ ours, sql }) {
    const { aggregates, values } = this.#aggregates();
    return {
      text: `agg(${JSON.stringify(aggregates)})`,
      sql: `select ${values.join(', ')} from t where ${sql}`,
      ask: async (table) => [Object.values(await table.where(ours).agg(aggregates))],
    };
  }

  #groups({ ours, sql }) {
    const by = this.#keys(KEYS, 2);
    const { aggregates, values } = this.#aggregates();
    return {
      text: `groupBy(${by}).agg(${JSON.stringify(aggregates)})`,
      sql:
        `select ${[...by.map(ticks), ...values].join(', ')} from t where ${sql} ` +
        `group by ${by.join(', ')} order by min(id)`,
      ask: async (table) => {
        const { columns } = await table
          .where(ours)
          .groupBy(...by)
          .agg(aggregates);
        const lists = Object.values(columns);
        return Array.from(lists[0], (_, row) => lists.map((list) => list[row]));
      },
    };
  }

  /** Columns of a view that `edit` computes. What does not fit its type, which may have 32 bits, is refused. */
  #computed({ ours, sql }) {
    const { whole, real, condition, text } = this.#expressions.values();
    const values = { id: 'id', whole: whole.ours, real: real.ours, condition: condition.ours, text: text.ours };
    const sqlValues = [whole, real, condition, text].map((value) => value.sql);
    return {
      text: `assign(${JSON.stringify(values)})`,
      sql: `select id, ${sqlValues.join(', ')} from t where ${sql} order by id`,
      mayRefuse: (rows) => rows.some(([, integer]) => integer !== null && BigInt.asIntN(32, integer) !== integer),
      ask: async (table, edit) => {
        const { id, ...assigned } = values;
        const lists = Object.values(
          await edit(table.where(ours))
            .assign(assigned)
            .table.select(...Object.keys(values))
            .toColumns(),
        );
        return Array.from(lists[0], (_, row) => lists.map((list) => list[row]));
      },
    };
  }

  #keys(names, most) {
    return [...new Set(this.#random.some(most, () => this.#random.pick(names)))];
  }

  /** What both are asked for, in the same order. */
  #aggregates() {
    const random = this.#random;
    const number = random.pick(INTEGERS);
    const text = random.pick(STRINGS);
    const moment = random.pick(['day', 'dayn', 'moment']);
    const any = random.pick([number, text, moment, 'flagn', 'cents']);
    const aggregates = {
      ...{
        rows: 'count',
        values: { count: number },
        sum: { sum: number },
        least: { min: number },
        most: { max: text },
      },
      ...{ mean: { mean: number }, early: { min: moment }, late: { max: moment }, kinds: { countDistinct: text } },
      ...{ first: { first: any }, last: { last: any }, cents: { sum: 'cents' } },
    };
    const values = [
      // A sum of no values is 0 and a mean NaN, not null; DuckDB's own mean is a sum of doubles.
      ...['count(*)', `count(${number})`, `coalesce(sum(${huge(number)}), 0)`, `min(${number})`, `max(${text})`],
      `coalesce(sum(${huge(number)})::DOUBLE / count(${number}), 'nan'::DOUBLE)`,
      ...[`min(${ticks(moment)})`, `max(${ticks(moment)})`, `count(distinct ${text})`],
      ...['arg_min', 'arg_max'].map((name) => `${name}(${ticks(any)}, id) filter (where ${any} is not null)`),
      'coalesce(sum(cents), 0)',
    ];
    return { aggregates, values };
  }
}

/** A value of either, as text: integers are integers, whatever holds them. */
function spelled(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function areSame(one, other) {
  if (spelled(one) === spelled(other)) return true;
  return typeof one === 'number' && Math.abs(one - Number(other)) <= CLOSE * Math.abs(one);
}

/** Null, or where they differ first. */
export function difference(found, wanted) {
  if (found.length !== wanted.length) return `${found.length} rows, DuckDB has ${wanted.length}`;
  for (const [row, values] of found.entries())
    for (const [column, value] of values.entries())
      if (!areSame(value, wanted[row][column]))
        return `${spelled(value)} at row ${row}, column ${column}; DuckDB has ${spelled(wanted[row][column])}`;
  return null;
}
