// The report of a mutation run -> counts, and the survivors that nobody has justified. A mutant that changes nothing
// anybody could notice is listed, with its reason, in `equivalent/AREA.mjs`:
//   export const EQUIVALENT = [{ file, of, becomes, why, line? }]
// `file` ends the path, `of` is the text that is changed (it may be cut short by `…`), `becomes` is what it is changed
// into, one or a list, and `line` is a text within the line, where `of` stands in several.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const SURVIVED = new Set(['Survived', 'NoCoverage']);

/** @returns {Promise<{ counts: Map<string, number>, open: string[], stale: string[] }>} */
export async function survivorsOf(report, area) {
  const equivalent = await equivalentOf(area);
  const [counts, open, used] = [new Map(), [], new Set()];
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  for (const [path, { source, mutants }] of Object.entries(files)) {
    for (const mutant of mutants) {
      const isOf = (entry) => path.endsWith(`/${entry.file}`) && isSame(entry, mutant, source);
      const reason = SURVIVED.has(mutant.status) ? equivalent.find(isOf) : undefined;
      if (reason !== undefined) used.add(reason);
      else if (SURVIVED.has(mutant.status)) open.push(describe(path, mutant, source));
      const status = reason === undefined ? mutant.status : 'Equivalent';
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }
  // Of files that were not looked at, nothing is known.
  const isSeen = ({ file }) => Object.keys(files).some((path) => path.endsWith(`/${file}`));
  const stale = equivalent
    .filter((entry) => isSeen(entry) && !used.has(entry))
    .map(({ file, of, becomes }) => `${file}: ${of} -> ${becomes}`);
  return { counts, open, stale };
}

/**
 * Before a run: takes survivors among what runs at import out of what the tester remembers. It tries a survivor again
 * where there are new tests that touch it, and it has no list of tests for these.
 */
export function forgetStaticSurvivors(memory) {
  if (!existsSync(memory)) return;
  const remembered = JSON.parse(readFileSync(memory, 'utf8'));
  for (const file of Object.values(remembered.files)) {
    file.mutants = file.mutants.filter((mutant) => !mutant.static || !SURVIVED.has(mutant.status));
  }
  writeFileSync(memory, JSON.stringify(remembered));
}

async function equivalentOf(area) {
  const file = new URL(`./equivalent/${area}.mjs`, import.meta.url);
  return existsSync(file) ? (await import(file)).EQUIVALENT : [];
}

function isSame({ of, becomes, line }, mutant, source) {
  const original = originalOf(mutant, source);
  const isOriginal = of.endsWith('…') ? original.startsWith(of.slice(0, -1)) : original === of;
  const isReplacement = [becomes].flat().includes(inOneLine(mutant.replacement ?? ''));
  return isOriginal && isReplacement && (line === undefined || lineOf(mutant, source).includes(line));
}

function describe(path, mutant, source) {
  const { line, column } = mutant.location.start;
  const [from, to] = [originalOf(mutant, source), inOneLine(mutant.replacement ?? '')];
  return `${path}:${line}:${column} ${mutant.status}: ${shortened(from)} -> ${shortened(to)}`;
}

function originalOf({ location: { start, end } }, source) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines.push(lines.pop().slice(0, end.column - 1));
  lines[0] = lines[0].slice(start.column - 1);
  return inOneLine(lines.join('\n'));
}

const lineOf = ({ location }, source) => source.split('\n')[location.start.line - 1];
const inOneLine = (text) => text.replace(/\s+/gu, ' ').trim();
const shortened = (text) => (text.length > 100 ? `${text.slice(0, 99)}…` : text);
