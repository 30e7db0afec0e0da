// Names of the files of a folder that grows: a name with room for the next number, as in Python's templates, or one
// name for one file.
import { ArgumentError } from '@colkit/io';
import { FILE_EXTENSION } from '../layout/constants.ts';

export const DEFAULT_NAME = `shard_{index:05d}${FILE_EXTENSION}`;

/** `{index}` or `{index:05d}`. */
const FIELD = /\{index(?::0(\d{1,2})d?)?\}/u;

export class ShardName {
  readonly template: string;
  readonly #before: string;
  readonly #after: string;
  /** Null: no number, a name for one file. */
  readonly #digits: number | null;

  /** @throws ArgumentError for what would not be a file of the table. */
  constructor(template: string) {
    const fault = faultOf(template);
    if (fault !== null) throw new ArgumentError('ERR_ARGUMENT', 'name', `a file name such as ${DEFAULT_NAME}`, fault);
    this.template = template;
    const field = FIELD.exec(template);
    this.#before = field === null ? template : template.slice(0, field.index);
    this.#after = field === null ? '' : template.slice(field.index + field[0].length);
    this.#digits = field === null ? null : Number(field[1] ?? 0);
  }

  get isLiteral(): boolean {
    return this.#digits === null;
  }

  /** The name behind those that are there: of the largest number and one more, whatever is missing before it. */
  next(names: readonly string[]): string {
    if (this.#digits === null) return this.template;
    let next = 0;
    for (const name of names) {
      const isOurs = name.startsWith(this.#before) && name.endsWith(this.#after);
      const digits = isOurs ? name.slice(this.#before.length, name.length - this.#after.length) : '';
      if (/^\d+$/u.test(digits)) next = Math.max(next, Number(digits) + 1);
    }
    return `${this.#before}${String(next).padStart(this.#digits, '0')}${this.#after}`;
  }
}

function faultOf(template: string): string | null {
  const shown = JSON.stringify(template);
  if (!template.endsWith(FILE_EXTENSION)) return `${shown}, which does not end in ${FILE_EXTENSION}`;
  if (/[\\/\0]/u.test(template)) return `${shown}, which is no name but a path`;
  if (template.startsWith('.')) return `${shown}, which is hidden: readers of the folder pass it over`;
  if (/[{}]/u.test(template.replace(FIELD, ''))) return `${shown}, whose braces are not one {index} or {index:05d}`;
  return null;
}
