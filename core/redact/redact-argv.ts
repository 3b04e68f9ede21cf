import { PROGRAMS, type Holds, type Program, type SecretOperand } from './programs.ts';
import { isHarmlessHeader, isSecretName } from './secret-names.ts';
import { REDACTED, redactText } from './secret-shapes.ts';

export { REDACTED } from './secret-shapes.ts';

/** Maximum nesting of commands within commands (`ssh host "sh -c 'curl …'"`). */
const MAX_DEPTH = 4;

/** Path of a private key. */
const KEY_FILE = /\/\.ssh\/|(?:^|\/)id_[a-z0-9]+$|\.(?:pem|key|p12|pfx|ppk)$/;
const NO_PROGRAM: Program = {};
/** Meaning of options if the program is unknown. */
const ANY: Readonly<Record<string, Holds>> = {
  '-u': 'user',
  '--user': 'user',
  '--proxy-user': 'user',
  '--login': 'user',
  '-H': 'header',
  '--header': 'header',
  '--proxy-header': 'header',
  '-i': 'key',
  '-p': 'guess',
};

/** Form of an option; passwords rarely begin with `-`. */
const OPTION = /^-(?:|-|-[a-z][\w.-]*(?:[=:][\s\S]*)?|[A-Za-z]\d*|[A-Za-z][A-Za-z-]*(?:[=:][\s\S]*)?)$/;
/**
 * Values of `-p` that are not passwords: ports and lists of them, addresses, published ports, paths, prompts, files;
 * empty.
 */
const NO_GUESS = /^[\d.,:-]*$|^[\w.-]*:\d|^[\d:.-]+\/(?:tcp|udp|sctp)$|[/=\s]|:$|^[.~%$]|\.[a-z]{2,4}$/;
/** The position of the share in `net use`; `*` prompts for the password or takes any letter. */
const NET_PLACE = /^(?:[A-Za-z]:|\*)$/;

/**
 * Returns the argv with likely secrets replaced by {@link REDACTED}: values of options, variables and fields with such
 * names, the options in a program's table ({@link PROGRAMS}), tokens by their form, passwords in URLs, header values,
 * paths of keys; also in commands within arguments. Everything else is unchanged. Used for stored and displayed
 * commands, not for those that run.
 */
export const redactArgv = (argv: readonly string[]): string[] =>
  redactWords(
    argv,
    argv.map((_, place) => place === 0),
    0,
  );

/** Does the same for a command line in one text: a process title, or the command that a profile states. */
export const redactCommandLine = (line: string): string => redactNested(redactText(line), 0);

/** Expectations for the next arguments, from the program and the words before them. */
interface Expected {
  program: Program;
  /** The word on which the program's letters depend has occurred. */
  isOpen: boolean;
  /** The secret part of the next argument, and the option to which it belongs. */
  next: { readonly holds: Holds } | { readonly option: string } | null;
  /** Number of operands until one is a secret; 0 if none is expected; rest: all of them are. */
  operands: SecretOperand;
}

const NOTHING_READ: Expected = { program: NO_PROGRAM, isOpen: true, next: null, operands: 0 };

/** `begins` states for each word whether a command begins with it. */
function redactWords(words: readonly string[], begins: readonly boolean[], depth: number): string[] {
  const reading: Expected = { ...NOTHING_READ };
  return words.map((word, place) => {
    if (begins[place] === true) Object.assign(reading, NOTHING_READ);
    const redacted = redactWord(word, words[place - 2] ?? '', words[place - 1] ?? '', reading);
    const text = redactText(redacted);
    if (redacted !== word) return text;
    return depth < MAX_DEPTH && /\s/.test(text) ? redactNested(text, depth + 1) : text;
  });
}

/** Redacts an argument that is a command of its own, such as that of `sh -c`, word by word in place. */
function redactNested(line: string, depth: number): string {
  const words = shellWords(line);
  const redacted = redactWords(
    words.map(({ text }) => text),
    words.map(({ begins }) => begins),
    depth,
  );
  let kept = '';
  let end = 0;
  for (const [place, { start, end: wordEnd, text }] of words.entries()) {
    const word = redacted[place]!;
    const raw = line.slice(start, wordEnd);
    kept += line.slice(end, start) + (word === text ? raw : requote(raw, word));
    end = wordEnd;
  }
  return kept + line.slice(end);
}

/** Puts the word into the quotes of the word that it replaces. */
function requote(raw: string, word: string): string {
  const quote = /^[^'"]*(['"])/.exec(raw)?.[1];
  if (quote === undefined && !/\s/.test(word)) return word;
  return quote === '"' ? `"${word.replaceAll(/(["\\])/g, '\\$1')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

function redactWord(word: string, beforeLast: string, last: string, reading: Expected): string {
  const { next } = reading;
  reading.next = null;
  if (next !== null) {
    const isOption = OPTION.test(word);
    if ('holds' in next && (next.holds === 'secret' || !isOption)) return redactHeld(word, next.holds);
    if ('option' in next && !isOption && isSecretName(next.option, word)) return REDACTED;
  }
  if (beforeLast === 'set' && !last.startsWith('-') && isSecretName(last, word)) return REDACTED;
  const known = word.startsWith('-') ? undefined : PROGRAMS.get(word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, ''));
  if (known !== undefined && (reading.program.operands === undefined || known === reading.program)) {
    Object.assign(reading, { program: known, isOpen: known.only === undefined, operands: known.operands?.[''] ?? 0 });
    return word;
  }
  if (word === '--') Object.assign(reading, NOTHING_READ);
  const { program } = reading;
  if (program.starts === true && !word.startsWith('-')) Object.assign(reading, NOTHING_READ);
  if (word === program.only) reading.isOpen = true;
  const awaited = program.operands?.[word];
  if (awaited !== undefined) {
    reading.operands = awaited;
    return word;
  }
  if (word.startsWith('-') || /^\/\w+:/.test(word)) return redactOption(word, reading);
  if (reading.operands === 'rest') return REDACTED;
  if (reading.operands > 0 && !NET_PLACE.test(word)) {
    reading.operands -= 1;
    if (reading.operands === 0) return REDACTED;
  }
  if (program.logon !== undefined) return redactHeld(word, program.logon);
  return redactAssignment(word, program.fields);
}

function redactOption(word: string, reading: Expected): string {
  const { program, isOpen } = reading;
  const { name, separator, value } = splitOption(word);
  const holds = program.options?.[name] ?? (isOpen && name.length === 2 ? program.letters?.[name[1]!] : undefined);
  // `--Section:ClientSecret` may be a name, whose value is in the next argument.
  if (separator === ':' && word.startsWith('--') && !value.includes('=')) reading.next = { option: word };
  if (separator !== '') {
    if (holds === 'none' && name.length !== 2) return redactAssignment(word);
    if (holds !== undefined && !/^-.$/.test(name)) return `${name}${separator}${redactHeld(value, holds)}`;
    if (separator === ':' && isSecretName(name, value)) return `${name}:${REDACTED}`;
  }
  if (separator === '' && holds !== undefined && program.attached !== true) {
    reading.next = { holds };
    return word;
  }
  const short = redactShort(word, reading);
  if (short !== null) return short;
  const general = holds ?? (isLetterOf(program, name) ? undefined : generally(program, name));
  if (general !== undefined) {
    if (separator === '=') return `${name}=${redactHeld(value, general)}`;
    if (separator === '') {
      reading.next = { holds: general };
      return word;
    }
  }
  // Names may contain more than `splitOption` reads: `--db:password=…`, `-Dusers[0].password=…`.
  const assigned = redactAssignment(word);
  if (separator === '=' || assigned !== word) return assigned;
  if (separator === '' && !word.includes('=') && program.options?.[name] === undefined) reading.next = { option: name };
  return redactAttached(word, program);
}

/** Returns whether the program defines the one-letter option, even if the definition does not apply now. */
const isLetterOf = ({ letters, options }: Program, name: string): boolean =>
  options?.[name] !== undefined || (name.length === 2 && letters?.[name[1]!] !== undefined);

/**
 * Returns the meaning of an option that the program's table does not define; for known programs, `-p` has too many
 * meanings.
 */
const generally = (program: Program, name: string): Holds | undefined =>
  name === '-p' && program !== NO_PROGRAM ? undefined : ANY[name];

/** `--name=value`, `/name:value`, `-name`. */
function splitOption(word: string): { name: string; separator: string; value: string } {
  const found = /^([-/]{1,2}[\w.-]*)([=:])([\s\S]*)$/.exec(word);
  return found === null
    ? { name: word, separator: '', value: '' }
    : { name: found[1]!, separator: found[2]!, value: found[3]! };
}

/**
 * Redacts `-psecret` and `-sSu user:password`: the first letter that takes a value takes the rest. Null if none of the
 * program's letters occurs in it.
 */
function redactShort(word: string, reading: Expected): string | null {
  const { program, isOpen } = reading;
  const { letters } = program;
  if (letters === undefined || !isOpen || !/^-[A-Za-z]/.test(word)) return null;
  // Programs that join letters are those with many options; for others only the first letter counts.
  const last = program.options !== undefined && letters['X'] !== undefined ? word.length : 2;
  for (let at = 1; at < last; at++) {
    const holds = letters[word[at]!];
    if (holds === undefined) continue;
    const value = word.slice(at + 1);
    if (holds === 'none') return isFlagged(word) ? null : word;
    if (value !== '') return `${word.slice(0, at + 1)}${redactHeld(value, holds)}`;
    if (program.attached !== true) reading.next = { holds };
    return word;
  }
  return null;
}

/** Returns whether the value is an assignment, which is handled as such: `-eAPI_KEY=…`. */
const isFlagged = (word: string): boolean => /^-[A-Za-z][\w.-]*=/.test(word);

/** Redacts `-uuser:password`, `-HName: value` and `-i/home/me/.ssh/id` of unknown programs. */
function redactAttached(word: string, program: Program): string {
  const name = word.slice(0, 2);
  const value = word.slice(2);
  if (value === '' || word.startsWith('--') || isLetterOf(program, name)) return word;
  if (name === '-H' && /^[A-Za-z][\w-]*:/.test(value)) return `-H${redactHeld(value, 'header')}`;
  if (name === '-u' && !/^(?:rl|ri|nix|dp|sb):/.test(value)) return `-u${redactHeld(value, 'user')}`;
  return name === '-i' && value.includes('/.ssh/') ? `-i${REDACTED}` : word;
}

/** Redacts `NAME=value`, `-Dname=value`, `--env=NAME=value` and `--set=a=1,b.password=2`. */
function redactAssignment(word: string, fields: readonly string[] = []): string {
  for (let at = word.indexOf('='); at > 0 && at < 500; at = word.indexOf('=', at + 1)) {
    // Fields of a query or of a text are recognised by their form.
    if (/[\s?]/.test(word.slice(0, at))) break;
    const name = /[^=,;&?\s]*$/.exec(word.slice(0, at))![0];
    const value = word.slice(at + 1);
    const joined = /^-[A-Za-z]\w/.test(name) ? name.slice(2) : '';
    const isJoined = joined !== '' && (joined === 'key' || isSecretName(joined, value));
    if (isSecretName(name, value) || isJoined || fields.includes(name)) return `${word.slice(0, at + 1)}${REDACTED}`;
  }
  return word;
}

function redactHeld(value: string, holds: Holds): string {
  switch (holds) {
    case 'secret':
      return value === '' ? value : REDACTED;
    case 'user':
      return /^\d+:\d+$/.test(value) || /^[a-z]+:\/\//i.test(value) ? value : after(value, ':');
    case 'percent':
      return after(value, '%');
    case 'comma':
      return after(value, ',');
    case 'header':
      return redactHeader(value);
    case 'cookie':
      return value.includes('=') ? REDACTED : value;
    case 'proxy':
      return value.includes('@') && !value.includes('://')
        ? `${REDACTED}${value.slice(value.lastIndexOf('@'))}`
        : redactText(value);
    case 'cert':
      return value.startsWith('pkcs11:') || !value.includes(':')
        ? value
        : `${value.slice(0, value.indexOf(':'))}:${REDACTED}`;
    case 'login':
      return value.replace(/^([^\s:@/]+:)(?!\/\/)\S+(?=@)/, `$1${REDACTED}`);
    case 'source':
      return value.startsWith('pass:') ? `pass:${REDACTED}` : value;
    case 'slash':
      return value.replace(/^((?:userid=)?[\w$#"]+)\/(?![/.])[^@\s]+(?=@|$)/i, `$1/${REDACTED}`);
    case 'key':
      return KEY_FILE.test(value) ? REDACTED : value;
    case 'guess':
      return NO_GUESS.test(value) ? redactAssignment(value) : REDACTED;
    case 'none':
      return redactAssignment(value);
  }
}

/** Replaces everything after the separator; returns the value unchanged if nothing follows it. */
function after(value: string, separator: string): string {
  const at = value.indexOf(separator);
  return at < 0 || at === value.length - 1 ? value : `${value.slice(0, at)}${separator}${REDACTED}`;
}

function redactHeader(header: string): string {
  const colon = header.indexOf(':');
  const name = header.slice(0, Math.max(0, colon));
  const value = header.slice(colon + 1).trim();
  if (colon < 0 || value === '' || value.startsWith('//') || isHarmlessHeader(name)) return header;
  return `${name}: ${REDACTED}`;
}

/** A word of a command line, its position, and its text without quotes. */
interface ShellWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** True if a `;`, `|` or similar precedes it, so that a new command begins. */
  readonly begins: boolean;
}

const SEPARATORS = ';|&()\n`';

/** Splits words like a POSIX shell; an unclosed quote, which no shell accepts, ends with the text. */
export function shellWords(line: string): ShellWord[] {
  const words: ShellWord[] = [];
  let start = -1;
  let text = '';
  let quote = '';
  let begins = true;
  const end = (at: number): void => {
    if (start >= 0) words.push({ start, end: at, text, begins });
    if (start >= 0) begins = false;
    start = -1;
    text = '';
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && at + 1 < line.length) text += line[(at += 1)]!;
      else text += character;
      continue;
    }
    if (/\s/.test(character) || SEPARATORS.includes(character)) {
      end(at);
      if (SEPARATORS.includes(character)) begins = true;
      continue;
    }
    if (start < 0) start = at;
    if (character === "'" || character === '"') quote = character;
    else if (character === '\\' && at + 1 < line.length) text += line[(at += 1)]!;
    else text += character;
  }
  end(line.length);
  return words;
}
