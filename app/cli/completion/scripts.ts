/** A command as shells complete it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** `--output` */
  readonly long: string;
  /** `-o`; null if there is none. */
  readonly short: string | null;
  readonly summary: string;
  readonly takesValue: boolean;
  /** All values; empty: any. */
  readonly choices: readonly string[];
}

/** Quotes for bash and zsh: a single quote ends the string, follows escaped, and reopens it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Quotes for fish, where a backslash escapes within single quotes. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

const namesOf = ({ long, short }: CompletedOption): string[] => (short === null ? [long] : [short, long]);

/** Returns bash's completion script, which completes file names where nothing else matches. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const choices = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap((option) =>
        namesOf(option).map((word) => `    ${quoted(`${name} ${word}`)}) words=${quoted(option.choices.join(' '))} ;;`),
      ),
  );
  const options = commands.map(
    ({ name, options: own }) => `    ${quoted(name)}) words=${quoted(own.map(({ long }) => long).join(' '))} ;;`,
  );
  return [
    '_flamebench() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}" before="" words=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${quoted(commands.map(({ name }) => name).join(' '))}`,
    '  else',
    '    before="${COMP_WORDS[COMP_CWORD-1]}"',
    '    case "$command $before" in',
    ...choices,
    '    esac',
    '    if [ -z "$words" ] && [[ "$cur" == -* ]]; then',
    '    case "$command" in',
    ...options,
    '    esac',
    '    fi',
    '  fi',
    '  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _flamebench flamebench',
    '',
  ].join('\n');
}

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const described = (name: string, summary: string): string =>
    quoted(`${name.replaceAll(':', String.raw`\:`)}:${summary}`);
  const choices = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap((option) =>
        namesOf(option).map(
          (word) => `    ${quoted(`${name} ${word}`)}) compadd -- ${option.choices.map(quoted).join(' ')}; return ;;`,
        ),
      ),
  );
  const options = commands.map(
    ({ name, options: own }) =>
      `    ${quoted(name)}) options=(${own.map(({ long, summary }) => described(long, summary)).join(' ')}) ;;`,
  );
  return [
    '#compdef flamebench',
    '_flamebench() {',
    '  local -a commands options',
    '  if (( CURRENT == 2 )); then',
    `    commands=(${commands.map(({ name, summary }) => described(name, summary)).join(' ')})`,
    '    _describe command commands',
    '    _files',
    '    return',
    '  fi',
    '  case "$words[2] $words[CURRENT-1]" in',
    ...choices,
    '  esac',
    '  case "$words[2]" in',
    ...options,
    '  esac',
    '  if [[ "$words[CURRENT]" == -* ]]; then _describe option options; else _files; fi',
    '}',
    'compdef _flamebench flamebench',
    '',
  ].join('\n');
}

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c flamebench -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
  );
  const options = commands.flatMap(({ name, options: own }) =>
    own.map(({ long, short, summary, takesValue, choices }) =>
      [
        `complete -c flamebench -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}`,
        ...(short === null ? [] : [`-s ${short.slice(1)}`]),
        ...(choices.length > 0 ? [`-x -a ${fishQuoted(choices.join(' '))}`] : takesValue ? ['-r'] : []),
        `-d ${fishQuoted(summary)}`,
      ].join(' '),
    ),
  );
  return [...first, ...options, ''].join('\n');
}
