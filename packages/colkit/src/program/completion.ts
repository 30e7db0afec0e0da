// The verbs and their options, as commander knows them -> a script for a shell. The script is complete in itself: a
// press of the tab key starts no Node. Where nothing of ours fits, the shell offers files, which most words are.
import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function isShell(word: string): word is Shell {
  return SHELLS.some((shell) => shell === word);
}

export function completionScript(shell: Shell, program: Command): string[] {
  switch (shell) {
    case 'bash':
      return bash(program);
    case 'zsh':
      return zsh(program);
    case 'fish':
      return fish(program);
  }
}

/** For the words behind a verb. */
interface Known {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Of the first argument. */
  readonly choices: readonly string[];
}

function knownOf(program: Command): Known[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    options: command.createHelp().visibleOptions(command),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }));
}

/** Both long forms, where there are two. */
function flagsOf({ flags }: Option): string[] {
  return flags.split(/[ ,|]+/).filter((flag) => flag.startsWith('-'));
}

/** For a word that stands between single quotes, in all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", "'\\''")}'`;
}

function bash(program: Command): string[] {
  const name = program.name();
  const verbs = knownOf(program);
  const values = verbs.flatMap(({ name: verb, options }) =>
    options.flatMap((option) => {
      const of = option.argChoices;
      return of === undefined ? [] : flagsOf(option).map((flag) => ({ case: `${verb}:${flag}`, of }));
    }),
  );
  return [
    `_${name}() {`,
    '  local word="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]}" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words='${verbs.map((verb) => verb.name).join(' ')} help --help --version'`,
    '  else',
    '    case "$verb:${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values.map(({ case: when, of }) => `      ${when}) words='${of.join(' ')}' ;;`),
    '      *) case "$verb" in',
    `        help) words='${verbs.map((verb) => verb.name).join(' ')}' ;;`,
    ...verbs.map(({ name: verb, options, choices }) => {
      const flags = options.flatMap(flagsOf).join(' ');
      return choices.length > 0
        ? `        ${verb}) words='${choices.join(' ')}' ;;`
        : `        ${verb}) case "$word" in -*) words='${flags}' ;; esac ;;`;
    }),
    '      esac ;;',
    '    esac',
    '  fi',
    '  COMPREPLY=( $(compgen -W "$words" -- "$word") )',
    '}',
    `complete -o bashdefault -o default -F _${name} ${name}`,
  ];
}

function zsh(program: Command): string[] {
  const name = program.name();
  const verbs = knownOf(program);
  // Brackets and colons mean something in the specifications of _arguments and _describe.
  const plain = (text: string): string => text.replace(/[[\]:\\]/g, '');
  const specOf = (option: Option): string[] =>
    flagsOf(option).map((flag) => {
      const takes = option.required || option.optional;
      const words = option.argChoices === undefined ? '_files' : `(${option.argChoices.join(' ')})`;
      const value = takes ? `:value:${words}` : '';
      return quoted(`*${flag}[${plain(option.description)}]${value}`);
    });
  return [
    `#compdef ${name}`,
    `_${name}() {`,
    '  local -a verbs',
    '  if (( CURRENT == 2 )); then',
    `    verbs=(${verbs.map((verb) => quoted(`${verb.name}:${plain(verb.summary)}`)).join(' ')})`,
    "    _describe 'command' verbs",
    '    return',
    '  fi',
    '  local verb="${words[2]}"',
    '  shift words; (( CURRENT-- ))',
    '  case "$verb" in',
    ...verbs.map(({ name: verb, options, choices }) => {
      const rest = choices.length === 0 ? "'*:file:_files'" : `'1:word:(${choices.join(' ')})'`;
      return `    ${verb}) _arguments ${[...options.flatMap(specOf), rest].join(' ')} ;;`;
    }),
    '    *) _files ;;',
    '  esac',
    '}',
    // Loaded by hand, or by the completion system as a file of its own.
    `if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi`,
  ];
}

function fish(program: Command): string[] {
  const name = program.name();
  const verbs = knownOf(program);
  const lines = verbs.map(
    (verb) => `complete -c ${name} -n __fish_use_subcommand -f -a ${verb.name} -d ${quotedForFish(verb.summary)}`,
  );
  for (const { name: verb, options, choices } of verbs) {
    const when = `-n '__fish_seen_subcommand_from ${verb}'`;
    if (choices.length > 0) lines.push(`complete -c ${name} ${when} -f -a '${choices.join(' ')}'`);
    for (const option of options) {
      const flags = flagsOf(option).map((flag) => flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '));
      const takes = option.required || option.optional;
      const value = option.argChoices === undefined ? (takes ? ' -r' : '') : ` -x -a '${option.argChoices.join(' ')}'`;
      lines.push(`complete -c ${name} ${when} ${flags.join(' ')}${value} -d ${quotedForFish(option.description)}`);
    }
  }
  return lines;
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
