// Predicates at random, each as colkit writes it and as DuckDB's SQL says the same. Where the two differ on purpose the
// SQL spells out what docs/guide/predicates.md says: integers never overflow, NaN is equal to nothing, `%` and `//`
// round down.
import { TEXTS } from './table.mjs';

export const INTEGERS = ['i32', 'i32n', 'u8', 'sorted', 'i64', 'i64n'];
export const STRINGS = ['text', 'textn', 'key'];
const DOUBLES = ['f64', 'f64n', 'cents', 'f32'];
/** What is computed of floats of 32 bits alone has 32 bits: DuckDB computes another value. */
const COMPUTED = DOUBLES.slice(0, 3);
const NULLABLE = ['i64n', 'i32n', 'f64n', 'textn', 'dayn', 'flagn'];
const WHOLE = [
  ...[0, 1, -1, 2, 3, 7, -7, 10, 100, 127, 255, -20, 19, 1000, 2147483647, -2147483648],
  ...['9007199254740993', '9223372036854775807', '-9223372036854775808'],
].map(String);
const REAL = ['0.0', '0.1', '0.5', '-2.5', '100.25', '1e300', '1e-300', '99.99', '500.5', '9007199254740993.0'];
const DAYS = ['1970-01-01', '2000-02-29', '1950-05-05', '2024-12-31', '1900-01-01'];
const MOMENTS = ['2020-01-01T00:00:00', '2021-05-05T12:34:56.789', '1999-01-01T00:00:00.000001'];
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>=', '=', '<>'];
const SQL_COMPARISONS = { '==': '=', '!=': '<>' };
const FURTHER = ['k0500', 'k05', 'K', 'k0500-a'];
const MOST_DEPTH = 4;

const same = (text) => ({ ours: text, sql: text });
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const sqlQuoted = (text) => `'${text.replaceAll("'", "''")}'`;
/** A sign binds tighter in parentheses. */
const literal = (number) => (number.startsWith('-') ? `(${number})` : number);
export const huge = (sql) => `(${sql})::HUGEINT`;
const floorMod = (sql, by) => `(((${sql} % ${by}) + ${by}) % ${by})`;

export class Expressions {
  #random;

  constructor(random) {
    this.#random = random;
  }

  /** A condition: true, false or unknown. */
  condition(depth = 0) {
    const random = this.#random;
    if (depth < MOST_DEPTH && random.chance(0.45)) {
      const one = this.condition(depth + 1);
      if (random.chance(0.25)) return { ours: `not (${one.ours})`, sql: `(not (${one.sql}))` };
      const other = this.condition(depth + 1);
      const word = random.pick(['and', 'or']);
      return { ours: `(${one.ours} ${word} ${other.ours})`, sql: `(${one.sql} ${word} ${other.sql})` };
    }
    const draws = [
      ...[this.#integers, this.#integers, this.#integer, this.#doubles, this.#doubles, this.#texts, this.#texts],
      ...[this.#moments, this.#flag, this.#listed, this.#listed, this.#between, this.#null, this.#null],
      ...[this.#like, this.#like, this.#prefix, this.#distinct],
    ];
    return random.pick(draws).call(this);
  }

  /** An integer, a double, a condition and a text of each row. */
  values() {
    const [whole, real, condition] = [this.#whole(), this.#real(COMPUTED), this.condition(2)];
    const [one, other] = [this.#random.pick(STRINGS), this.#random.pick(STRINGS)];
    const text = {
      ours: `where(${condition.ours}, ${one}, ${other})`,
      sql: `(case when ${condition.sql} then ${one} else ${other} end)`,
    };
    return { whole, real, condition, text };
  }

  #integers() {
    return this.#compared(this.#whole(), this.#whole());
  }

  #integer() {
    const column = this.#random.pick(INTEGERS);
    const number = this.#random.pick(WHOLE);
    return this.#compared({ ours: column, sql: huge(column) }, { ours: literal(number), sql: huge(number) });
  }

  #doubles() {
    const [one, other] = [this.#real(), this.#real()];
    const sign = this.#random.pick(COMPARISONS);
    const [left, right, sqlSign] = [one.sql, other.sql, SQL_COMPARISONS[sign] ?? sign];
    const sql =
      `(case when ${left} is null or ${right} is null then null ` +
      `when isnan(${left}) or isnan(${right}) then ${sqlSign === '<>'} else ${left} ${sqlSign} ${right} end)`;
    return { ours: `${one.ours} ${sign} ${other.ours}`, sql };
  }

  #texts() {
    const text = this.#text();
    return this.#compared(same(this.#random.pick(STRINGS)), { ours: quoted(text), sql: sqlQuoted(text) });
  }

  #moments() {
    const random = this.#random;
    const isDay = random.chance(0.6);
    const moment = random.pick(isDay ? DAYS : MOMENTS);
    const column = isDay ? random.pick(['day', 'dayn']) : 'moment';
    return this.#compared(same(column), {
      ours: quoted(moment),
      sql: `${isDay ? 'DATE' : 'TIMESTAMP'} ${sqlQuoted(moment)}`,
    });
  }

  #flag() {
    const column = this.#random.pick(['flag', 'flagn']);
    return this.#random.chance(0.7) ? same(column) : { ours: `${column} == false`, sql: `(${column} = false)` };
  }

  #listed() {
    const random = this.#random;
    const no = random.chance(0.3) ? 'not ' : '';
    if (random.chance(0.4)) {
      const column = random.pick(STRINGS);
      const texts = random.some(6, () => this.#text());
      const list = (quote) => texts.map(quote).join(', ');
      return { ours: `${column} ${no}in (${list(quoted)})`, sql: `(${column} ${no}in (${list(sqlQuoted)}))` };
    }
    const value = random.chance(0.5) ? this.#whole() : this.#column(INTEGERS);
    const numbers = random.some(6, () => random.pick(WHOLE));
    return {
      ours: `${value.ours} ${no}in (${numbers.join(', ')})`,
      sql: `(${value.sql} ${no}in (${numbers.map(huge).join(', ')}))`,
    };
  }

  #between() {
    const value = this.#whole();
    const [low, high] = [this.#random.pick(WHOLE), this.#random.pick(WHOLE)];
    return {
      ours: `${value.ours} between ${low} and ${high}`,
      sql: `(${value.sql} between ${huge(low)} and ${huge(high)})`,
    };
  }

  #null() {
    const column = this.#random.pick([...NULLABLE, ...INTEGERS, ...STRINGS, 'f64', 'day', 'flag']);
    const text = `${column} is ${this.#random.chance(0.4) ? 'not ' : ''}null`;
    return { ours: text, sql: `(${text})` };
  }

  #like() {
    const random = this.#random;
    const pattern =
      Array.from(this.#text(), (point) => (random.chance(0.2) ? '_' : random.chance(0.1) ? '%' : point)).join('') +
      (random.chance(0.4) ? '%' : '');
    const no = random.chance(0.3) ? 'not ' : '';
    const words = `${random.pick(STRINGS)} ${no}${random.pick(['like', 'like', 'ilike'])}`;
    return { ours: `${words} ${quoted(pattern)}`, sql: `(${words} ${sqlQuoted(pattern)})` };
  }

  #prefix() {
    const [column, text] = [this.#random.pick(STRINGS), this.#text()];
    return { ours: `startsWith(${column}, ${quoted(text)})`, sql: `starts_with(${column}, ${sqlQuoted(text)})` };
  }

  #distinct() {
    const random = this.#random;
    const [one, other] = [random.pick(['i32n', 'i64n']), random.pick(['i32', 'i64', 'u8', 'i32n'])];
    const text = `${one} is ${random.chance(0.5) ? 'not ' : ''}distinct from ${other}`;
    return { ours: text, sql: `(${text})` };
  }

  #compared(one, other) {
    const sign = this.#random.pick(COMPARISONS);
    return {
      ours: `${one.ours} ${sign} ${other.ours}`,
      sql: `(${one.sql} ${SQL_COMPARISONS[sign] ?? sign} ${other.sql})`,
    };
  }

  #text() {
    return this.#random.pick(this.#random.chance(0.2) ? FURTHER : TEXTS);
  }

  #column(names) {
    const column = this.#random.pick(names);
    return { ours: column, sql: huge(column) };
  }

  /** An integer, which DuckDB computes in 128 bits. */
  #whole(depth = 0) {
    const random = this.#random;
    if (depth > 2 || random.chance(0.5)) return this.#column(INTEGERS);
    if (random.chance(0.2)) {
      const number = random.pick(WHOLE);
      return { ours: literal(number), sql: huge(number) };
    }
    const one = this.#whole(depth + 1);
    switch (random.pick(['+', '-', '*', '%', '//', 'abs', 'neg', 'fillNull', 'part', 'where'])) {
      case '+':
      case '-': {
        const other = this.#whole(depth + 1);
        const sign = random.pick(['+', '-']);
        return { ours: `(${one.ours} ${sign} ${other.ours})`, sql: `(${one.sql} ${sign} ${other.sql})` };
      }
      case '*': {
        const by = random.pick(['2', '3', '-1', '10', '0']);
        return { ours: `(${one.ours} * ${literal(by)})`, sql: `(${one.sql} * ${literal(by)})` };
      }
      case '%': {
        const by = random.pick([2, 3, 7, 10, 1000]);
        return { ours: `(${one.ours} % ${by})`, sql: floorMod(one.sql, by) };
      }
      case '//': {
        const by = random.pick([2, 3, 7, 10]);
        return { ours: `(${one.ours} // ${by})`, sql: `((${one.sql} - ${floorMod(one.sql, by)}) // ${by})` };
      }
      case 'abs':
        return { ours: `abs(${one.ours})`, sql: `abs(${one.sql})` };
      case 'neg':
        return { ours: `(-${one.ours})`, sql: `(-${one.sql})` };
      case 'fillNull':
        return { ours: `fillNull(${one.ours}, 5)`, sql: `coalesce(${one.sql}, ${huge('5')})` };
      case 'part': {
        const part = random.pick(['year', 'month', 'day', 'weekday']);
        const column = random.pick(['day', 'dayn', 'moment']);
        return {
          ours: `${part}(${column})`,
          sql: huge(part === 'weekday' ? `isodow(${column}) - 1` : `${part}(${column})`),
        };
      }
      default: {
        const other = this.#whole(depth + 1);
        const test = random.pick(['flag', 'u8 > 100']);
        return {
          ours: `where(${test}, ${one.ours}, ${other.ours})`,
          sql: `(case when ${test} then ${one.sql} else ${other.sql} end)`,
        };
      }
    }
  }

  #real(columns = DOUBLES, depth = 0) {
    const random = this.#random;
    if (depth > 1 || random.chance(0.6)) {
      const column = random.pick(columns);
      return { ours: column, sql: `${column}::DOUBLE` };
    }
    if (random.chance(0.35)) {
      const number = random.pick(REAL);
      return { ours: literal(number), sql: `(${number})::DOUBLE` };
    }
    const one = this.#real(columns, depth + 1);
    switch (random.pick(['+', '/', 'abs', 'neg', 'fillNull', 'floor', 'ceil'])) {
      case '+': {
        const other = this.#real(columns, depth + 1);
        const sign = random.pick(['+', '-', '*']);
        return { ours: `(${one.ours} ${sign} ${other.ours})`, sql: `(${one.sql} ${sign} ${other.sql})` };
      }
      case '/': {
        const by = random.pick(['2.5', '3.0', '0.1']);
        return { ours: `(${one.ours} / ${by})`, sql: `(${one.sql} / ${by}::DOUBLE)` };
      }
      case 'neg':
        return { ours: `(-${one.ours})`, sql: `(-${one.sql})` };
      case 'fillNull':
        return { ours: `fillNull(${one.ours}, 0.5)`, sql: `coalesce(${one.sql}, 0.5::DOUBLE)` };
      default: {
        const name = random.pick(['abs', 'floor', 'ceil']);
        return { ours: `${name}(${one.ours})`, sql: `${name}(${one.sql})` };
      }
    }
  }
}
