/** A command as shells complete it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The command's second words: the collectors of `record`. They have no subcommands themselves. */
  readonly subcommands: readonly CompletedCommand[];
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

/** Returns commands followed by their subcommands, which have their command's name, too: `record perf`. */
const withSubcommands = (commands: readonly CompletedCommand[]): CompletedCommand[] =>
  commands.flatMap((command) => [
    command,
    ...command.subcommands.map((one) => ({ ...one, name: `${command.name} ${one.name}` })),
  ]);

const parentsIn = (commands: readonly CompletedCommand[]): CompletedCommand[] =>
  commands.filter(({ subcommands }) => subcommands.length > 0);

/** Returns a pattern of bash and zsh for a command with any of its subcommands: `'record perf'|'record pprof'`. */
const eachSubcommand = ({ name, subcommands }: CompletedCommand): string =>
  subcommands.map((one) => quoted(`${name} ${one.name}`)).join('|');

/** Returns bash's completion script, which completes file names where nothing else matches. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const all = withSubcommands(commands);
  const choices = all.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap((option) =>
        namesOf(option).map((word) => `    ${quoted(`${name} ${word}`)}) words=${quoted(option.choices.join(' '))} ;;`),
      ),
  );
  const wordsOf = (name: string, words: readonly string[]): string =>
    `    ${quoted(name)}) words=${quoted(words.join(' '))} ;;`;
  const options = all.map(({ name, options: own }) => {
    const longNames = own.map(({ long }) => long);
    return wordsOf(name, longNames);
  });
  const parents = parentsIn(commands);
  const subcommands = parents.map(({ name, subcommands: own }) => {
    const names = own.map((one) => one.name);
    return wordsOf(name, names);
  });
  return [
    '_flamebench() {',
    '  local cur="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" before="" words=""',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${quoted(commands.map(({ name }) => name).join(' '))}`,
    '  else',
    '    before="${COMP_WORDS[COMP_CWORD-1]}"',
    '    if [ "$COMP_CWORD" -gt 2 ]; then',
    '    case "$command $second" in',
    ...parents.map((one) => `    ${eachSubcommand(one)}) command="$command $second" ;;`),
    '    esac',
    '    fi',
    '    case "$command $before" in',
    ...choices,
    '    esac',
    '    if [ -z "$words" ] && [[ "$cur" == -* ]]; then',
    '    case "$command" in',
    ...options,
    '    esac',
    '    elif [ "$COMP_CWORD" -eq 2 ]; then',
    '    case "$command" in',
    ...subcommands,
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
  const all = withSubcommands(commands);
  const choices = all.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap((option) =>
        namesOf(option).map(
          (word) => `    ${quoted(`${name} ${word}`)}) compadd -- ${option.choices.map(quoted).join(' ')}; return ;;`,
        ),
      ),
  );
  const options = all.map(
    ({ name, options: own }) =>
      `    ${quoted(name)}) options=(${own.map(({ long, summary }) => described(long, summary)).join(' ')}) ;;`,
  );
  const describedAll = (rows: readonly CompletedCommand[]): string =>
    rows.map(({ name, summary }) => described(name, summary)).join(' ');
  const parents = parentsIn(commands);
  return [
    '#compdef flamebench',
    '_flamebench() {',
    '  local -a commands options',
    '  local command="$words[2]"',
    '  if (( CURRENT == 2 )); then',
    `    commands=(${describedAll(commands)})`,
    '    _describe command commands',
    '    _files',
    '    return',
    '  fi',
    '  if (( CURRENT > 3 )); then',
    '  case "$command $words[3]" in',
    ...parents.map((one) => `    ${eachSubcommand(one)}) command="$command $words[3]" ;;`),
    '  esac',
    '  fi',
    '  case "$command $words[CURRENT-1]" in',
    ...choices,
    '  esac',
    '  case "$command" in',
    ...options,
    '  esac',
    '  if [[ "$words[CURRENT]" == -* ]]; then _describe option options; return; fi',
    '  if (( CURRENT == 3 )); then',
    '  case "$command" in',
    ...parents.map((one) => `    ${quoted(one.name)}) commands=(${describedAll(one.subcommands)}) ;;`),
    '  esac',
    '  (( $#commands )) && _describe command commands',
    '  fi',
    '  _files',
    '}',
    // zsh loads a file of its completion folders as the function's body.
    'if [[ "$funcstack[1]" == _flamebench ]]; then _flamebench "$@"; else compdef _flamebench flamebench; fi',
    '',
  ].join('\n');
}

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c flamebench -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
  );
  const seen = (...names: readonly string[]): string => `__fish_seen_subcommand_from ${names.join(' ')}`;
  const isGiven = (name: string): string =>
    name
      .split(' ')
      .map((word) => seen(word))
      .join('; and ');
  const second = commands.flatMap((command) => {
    const names = command.subcommands.map(({ name }) => name);
    const isNext = `${seen(command.name)}; and not ${seen(...names)}`;
    return command.subcommands.map(
      ({ name, summary }) => `complete -c flamebench -n '${isNext}' -f -a ${name} -d ${fishQuoted(summary)}`,
    );
  });
  const options = withSubcommands(commands).flatMap(({ name, options: own }) =>
    own.map(({ long, short, summary, takesValue, choices }) =>
      [
        `complete -c flamebench -n '${isGiven(name)}' -l ${long.slice(2)}`,
        ...(short === null ? [] : [`-s ${short.slice(1)}`]),
        ...(choices.length > 0 ? [`-x -a ${fishQuoted(choices.join(' '))}`] : takesValue ? ['-r'] : []),
        `-d ${fishQuoted(summary)}`,
      ].join(' '),
    ),
  );
  return [...first, ...second, ...options, ''].join('\n');
}
