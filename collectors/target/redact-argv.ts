export const REDACTED = '‹redacted›';

const SECRET =
  '(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|access[-_]?key|credentials?|auth|cookie|private[-_]?key)';
/** `--db-password`, `-token`, `SECRET_KEY`: the name ends with the word, or with it and `key`, `value`, `data`. */
const SECRET_NAME = new RegExp(`(?:^|[-_.])${SECRET}s?(?:[-_.]?(?:key|value|data))?$`, 'i');
const HEADER_OPTION = /^(?:-H|--header|--proxy-header)$/;
const KEY_OPTION = /^--(?:key|identity|identity-file|ssl-key|tls-key|keyfile|key-file)$/;
const KEY_FILE = /\/\.ssh\/|(?:^|\/)id_[a-z0-9]+$|\.(?:pem|key|p12|pfx|ppk)$/;
const USER_OPTION = /^(?:-u|--user|--proxy-user)$/;
/** The user and password of a URL; also inside a longer argument. */
const URL_USERINFO = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi;
const SECRET_IN_TEXT = new RegExp(`([?&;\\s]${SECRET}=)[^&;\\s]+`, 'gi');
/** Programs with a one-letter option for a password: which, and whether the value may also be the next argument. */
const SHORT_OPTIONS = new Map([
  ['mysql', { option: '-p', separate: false }],
  ['mysqldump', { option: '-p', separate: false }],
  ['mysqladmin', { option: '-p', separate: false }],
  ['mariadb', { option: '-p', separate: false }],
  ['mariadb-dump', { option: '-p', separate: false }],
  ['sshpass', { option: '-p', separate: true }],
  ['redis-cli', { option: '-a', separate: true }],
]);

/**
 * The argv with what looks like a secret replaced by {@link REDACTED}: values of `--password=…`-like options and assignments, URL
 * userinfo, header values, paths of keys. For what a capture keeps; what runs is untouched.
 */
export function redactArgv(argv: readonly string[]): string[] {
  const short = argv.map((argument) => SHORT_OPTIONS.get(argument.replace(/^.*\//, ''))).find((found) => found);
  return argv.map((argument, index) => {
    const previous = index === 0 ? '' : argv[index - 1]!;
    if (short?.separate && previous === short.option) return REDACTED;
    if (short && argument.startsWith(short.option) && argument.length > 2) return `${short.option}${REDACTED}`;
    return redactArgument(argument, previous);
  });
}

function redactArgument(argument: string, previous: string): string {
  if (takesSecret(previous) && !argument.startsWith('-')) return REDACTED;
  if (previous === '-i' && KEY_FILE.test(argument)) return REDACTED;
  if (HEADER_OPTION.test(previous)) return redactHeader(argument);
  if (USER_OPTION.test(previous) && argument.includes(':')) {
    return `${argument.slice(0, argument.indexOf(':'))}:${REDACTED}`;
  }
  const equals = argument.indexOf('=');
  if (equals > 0) {
    const name = argument.slice(0, equals);
    if (name === '--header') return `--header=${redactHeader(argument.slice(equals + 1))}`;
    if (SECRET_NAME.test(name) || KEY_OPTION.test(name)) return `${name}=${REDACTED}`;
  }
  return argument.replace(URL_USERINFO, `$1${REDACTED}@`).replace(SECRET_IN_TEXT, `$1${REDACTED}`);
}

/** An option whose value is the next argument. */
function takesSecret(option: string): boolean {
  return option.startsWith('-') && !option.includes('=') && (SECRET_NAME.test(option) || KEY_OPTION.test(option));
}

function redactHeader(header: string): string {
  const colon = header.indexOf(':');
  return colon < 0 ? header : `${header.slice(0, colon)}: ${REDACTED}`;
}

/** Arguments that hold what {@link redactArgv} takes out, whole. */
export function secretsOf(argv: readonly string[]): string[] {
  const redacted = redactArgv(argv);
  return argv.filter((argument, index) => argument !== redacted[index]);
}
