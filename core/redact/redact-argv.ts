import { PROGRAMS, type Holds, type Program } from './programs.ts';
import { isHarmlessHeader, isSecretName } from './secret-names.ts';
import { REDACTED, redactText } from './secret-shapes.ts';
import { shellWords } from './shell-words.ts';

export { REDACTED } from './secret-shapes.ts';

/** Commands within commands (`ssh host "sh -c 'curl …'"`) are read so deep. */
const MAX_DEPTH = 4;

/** A path of a private key. */
const KEY_FILE = /\/\.ssh\/|(?:^|\/)id_[a-z0-9]+$|\.(?:pem|key|p12|pfx|ppk)$/;
const NO_PROGRAM: Program = {};
/** What options mean where the program is not known. */
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

/** What an option looks like; a password that begins with `-` seldom does. */
const OPTION = /^-(?:|-|-[a-z][\w.-]*(?:[=:][\s\S]*)?|[A-Za-z]\d*|[A-Za-z][A-Za-z-]*(?:[=:][\s\S]*)?)$/;
/** After `-p`: ports and lists of them, addresses, published ports, paths, prompts, files; empty. */
const NO_GUESS = /^[\d.,:-]*$|^[\w.-]*:\d|^[\d:.-]+\/(?:tcp|udp|sctp)$|[/=\s]|:$|^[.~%$]|\.[a-z]{2,4}$/;
/** Where `net use` puts a share; `*`: asks for the password, or takes any letter. */
const NET_PLACE = /^(?:[A-Za-z]:|\*)$/;

/**
 * The argv with what looks like a secret replaced by {@link REDACTED}: values of options, variables and fields that are named so, what a
 * program's table says ({@link PROGRAMS}), tokens by their form, users' passwords in URLs, header values, paths of keys; also in commands
 * within arguments. What holds no secret stays as it is. For what is kept and listed; what runs is untouched.
 */
export const redactArgv = (argv: readonly string[]): string[] =>
  redactWords(
    argv,
    argv.map((_, place) => place === 0),
    0,
  );

/** The same of a command line that is one text: a process title, the command that a profile names. */
export const redactCommandLine = (line: string): string => redactNested(redactText(line), 0);

/** Arguments that hold what {@link redactArgv} takes out, whole. */
export function secretsOf(argv: readonly string[]): string[] {
  const redacted = redactArgv(argv);
  return argv.filter((argument, index) => argument !== redacted[index]);
}

/** What the next arguments are, by the program and the words before them. */
interface Reading {
  program: Program;
  /** The word that the program's letters need has been there. */
  isOpen: boolean;
  /** What the next argument holds, and of which option it is the value. */
  next: { readonly holds: Holds } | { readonly option: string } | null;
  /** Operands until one is a secret; 0: none is awaited. */
  operands: number;
}

const NOTHING_READ: Reading = { program: NO_PROGRAM, isOpen: true, next: null, operands: 0 };

/** `begins`: whether a command begins with the word. */
function redactWords(words: readonly string[], begins: readonly boolean[], depth: number): string[] {
  const reading: Reading = { ...NOTHING_READ };
  return words.map((word, place) => {
    if (begins[place] === true) Object.assign(reading, NOTHING_READ);
    const redacted = redactWord(word, words[place - 2] ?? '', words[place - 1] ?? '', reading);
    const text = redactText(redacted);
    if (redacted !== word) return text;
    return depth < MAX_DEPTH && /\s/.test(text) ? redactNested(text, depth + 1) : text;
  });
}

/** An argument that is a command of its own, such as that of `sh -c`: its words, each in its place. */
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

/** The word in the quotes of the one that it stands for. */
function requote(raw: string, word: string): string {
  const quote = /^[^'"]*(['"])/.exec(raw)?.[1];
  if (quote === undefined && !/\s/.test(word)) return word;
  return quote === '"' ? `"${word.replaceAll(/(["\\])/g, '\\$1')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

function redactWord(word: string, beforeLast: string, last: string, reading: Reading): string {
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
  if (reading.operands > 0 && !NET_PLACE.test(word)) {
    reading.operands -= 1;
    if (reading.operands === 0) return REDACTED;
  }
  if (program.logon === true) return redactHeld(word, 'slash');
  return redactAssignment(word, program.fields);
}

function redactOption(word: string, reading: Reading): string {
  const { program, isOpen } = reading;
  const { name, separator, value } = splitOption(word);
  const holds = program.options?.[name] ?? (isOpen && name.length === 2 ? program.letters?.[name[1]!] : undefined);
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
  if (separator === '=') return redactAssignment(word);
  if (separator === '' && program.options?.[name] === undefined) reading.next = { option: name };
  return redactAttached(word, program);
}

/** Whether the program gives the option of one letter a meaning of its own, also where it is not read now. */
const isLetterOf = ({ letters, options }: Program, name: string): boolean =>
  options?.[name] !== undefined || (name.length === 2 && letters?.[name[1]!] !== undefined);

/** What an option means where the program's table does not say it; `-p` has too many meanings in programs that are known. */
const generally = (program: Program, name: string): Holds | undefined =>
  name === '-p' && program !== NO_PROGRAM ? undefined : ANY[name];

/** `--name=value`, `/name:value`, `-name`. */
function splitOption(word: string): { name: string; separator: string; value: string } {
  const found = /^([-/]{1,2}[\w.-]*)([=:])([\s\S]*)$/.exec(word);
  return found === null
    ? { name: word, separator: '', value: '' }
    : { name: found[1]!, separator: found[2]!, value: found[3]! };
}

/** `-psecret`, `-sSu user:password`: the first letter that takes a value takes the rest. Null: no letter of the program's is in it. */
function redactShort(word: string, reading: Reading): string | null {
  const { program, isOpen } = reading;
  const { letters } = program;
  if (letters === undefined || !isOpen || !/^-[A-Za-z]/.test(word)) return null;
  // Programs that join letters are those with many; elsewhere only the first letter counts.
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

/** `-eAPI_KEY=…`: whose value is an assignment, which is read as such. */
const isFlagged = (word: string): boolean => /^-[A-Za-z][\w.-]*=/.test(word);

/** `-uuser:password`, `-HName: value` and `-i/home/me/.ssh/id` of a program that is not known. */
function redactAttached(word: string, program: Program): string {
  const name = word.slice(0, 2);
  const value = word.slice(2);
  if (value === '' || word.startsWith('--') || isLetterOf(program, name)) return word;
  if (name === '-H' && /^[A-Za-z][\w-]*:/.test(value)) return `-H${redactHeld(value, 'header')}`;
  if (name === '-u' && !/^(?:rl|ri|nix|dp|sb):/.test(value)) return `-u${redactHeld(value, 'user')}`;
  return name === '-i' && value.includes('/.ssh/') ? `-i${REDACTED}` : word;
}

/** `NAME=value`, `-Dname=value`, `--env=NAME=value`, `--set=a=1,b.password=2`. */
function redactAssignment(word: string, fields: readonly string[] = []): string {
  for (let at = word.indexOf('='); at > 0 && at < 500; at = word.indexOf('=', at + 1)) {
    // Fields of a query or of a text are found by their form.
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

/** What stands before the separator, and its absence where there is nothing after it. */
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
