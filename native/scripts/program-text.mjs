// What the generators of constants share: comments in lines, enumerations of C++, objects and declarations of
// TypeScript; and writing the files, or telling which of them are stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WIDTH = 120;

/** Words in lines of at most WIDTH characters, each after `prefix`. */
export function wrapped(text, prefix) {
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${prefix}${word}`);
  }
  return lines.join('\n');
}

export const pascal = (name) => name[0].toUpperCase() + name.slice(1);

/** A header of C++. */
export function guarded(path, doc, body) {
  const guard = `COLKIT_NATIVE_${path.split('/').at(-1).toUpperCase().replace('.', '_')}_`;
  return `${wrapped(doc, '// ')}
#ifndef ${guard}
#define ${guard}

#include <cstddef>
#include <cstdint>

namespace colkit {

${body.join('\n\n')}

}  // namespace colkit

#endif  // ${guard}
`;
}

export function cEnum(head, prefix, rows) {
  const lines = rows.map(([name, value, doc]) => {
    const line = `  ${prefix}${pascal(name)} = ${value},`;
    return doc === undefined ? line : `${wrapped(doc, '  // ')}\n${line}`;
  });
  return `${head} {\n${lines.join('\n')}\n};`;
}

/** Names and meanings, numbered in their order. */
export const numbered = (rows) => rows.map(([name, doc], index) => [name, index, doc]);

export function tsObject(name, doc, rows) {
  const lines = rows.map(([key, value, meaning]) => `${tsDoc(meaning, '  ')}\n  ${key}: ${value},`);
  return `${tsDoc(doc, '')}\nexport const ${name} = {\n${lines.join('\n')}\n} as const;`;
}

export function tsDoc(text, indent) {
  const line = `${indent}/** ${text} */`;
  return line.length <= WIDTH ? line : `${indent}/**\n${wrapped(text, `${indent} * `)}\n${indent} */`;
}

export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
export const told = (rows) => rows.map(([name, value, doc]) => [name, value, sentence(doc)]);

/** Writes the files, or with `--check` says which are not what would be written, and ends with 1. */
export function writeFiles(base, files) {
  let stale = 0;
  for (const [path, text] of files) {
    const file = fileURLToPath(new URL(path, base));
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      stale++;
      console.error(`${file} is not what the generator writes`);
    }
  }
  process.exitCode = stale === 0 ? 0 : 1;
}
