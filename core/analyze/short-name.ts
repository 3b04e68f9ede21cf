import { shortenMiddle } from './function-label.ts';

/** With fewer characters than this, an identifier is cut at its end: an ellipsis in its middle would hide too much. */
const MIN_SHORTENED = 9;

/**
 * Shortens a function's name to at most `maxLength` UTF-16 units: template arguments are elided first, then call
 * arguments, then namespaces from the outermost, and never the identifier while that fits:
 * `svc::Module<int>::handle(Request&)`, `svc::Module<…>::handle(…)`, `…::handle(…)`, `handle`.
 */
export function shortenName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const forms = nameForms(name);
  const fitting = forms.find((form) => form.length <= maxLength);
  if (fitting !== undefined) return fitting;
  const least = forms.at(-1)!;
  return maxLength < MIN_SHORTENED ? least.slice(0, Math.max(0, maxLength)) : shortenMiddle(least, maxLength);
}

/** Returns the name and its shorter forms, in the order in which they are preferred. */
export function nameForms(name: string): readonly string[] {
  const parts = partsOf(name);
  if (parts === null) return [name, withoutPath(name)];
  const { lead, path, identifier, call, tail } = parts;
  const whole = [...path, identifier].join('');
  const plain = [...path, identifier].map((part) => elided(part, TYPE_BRACKETS)).join('');
  const args = call === '' ? '' : '(…)';
  const within = path.map((part) => elided(part, TYPE_BRACKETS));
  const own = elided(identifier, TYPE_BRACKETS);
  const file = within.findLastIndex((part) => part.endsWith('/')) + 1;
  const inner = within.slice(file);
  return [
    name,
    lead + plain + elided(call, TYPE_BRACKETS, 1) + tail,
    lead + plain + args + tail,
    ...(call === '' ? [withoutPath(whole)] : []),
    inner.join('') + own + args,
    ...inner.map((part, at) => `…${part.endsWith('::') ? '::' : ''}${inner.slice(at + 1).join('')}${own}${args}`),
    own + args,
    own.replace(/(?<=[^:.])<…>$|(?<=\w)\[…\]$/, ''),
  ];
}

/**
 * Removes the path: `cmd/compile/internal/ssa.Compile` → `ssa.Compile`. Slashes within brackets, in arguments, or after
 * spaces do not count as a path.
 */
export function withoutPath(name: string): string {
  const head = /^[^\s([{<]*/.exec(name)![0];
  return name.slice(head.lastIndexOf('/') + 1) || name;
}

interface NameParts {
  /** Return type, with the space after it. */
  readonly lead: string;
  /** Folders, namespaces and classes, each with the separator after it. */
  readonly path: readonly string[];
  readonly identifier: string;
  /** Arguments with their parentheses; empty if the name has none. */
  readonly call: string;
  /** What follows: qualifiers, a clone, a place in a file. */
  readonly tail: string;
}

const CLOSING: Readonly<Record<string, string>> = { '<': '>', '(': ')', '[': ']', '{': '}' };
const TYPE_BRACKETS = '<[';

/** A C++ operator, whose brackets are none; conversions and `operator new` have words. */
const OPERATOR = /(?<!\w)operator(?:\(\)|\[\]|[-<>=!+*/%&|^~,]+(?: (?=<))?|""\s*\w+|(?: [\w:*&]+)+(?=\())/y;
const WORD = /[^\s<([{:./\\]+|:(?!:)/y;
const SEPARATOR = /::|[./\\]/y;
/** A place in a file, after the name: `work /srv/app.js:12`. */
const PLACE = /^ \(?\S+:\d+\)?$|^(?: \[[^\]]*\])+$/;
/** Components that say too little without the one before them: `main.func1`, `run::{{closure}}`, `libc.so.6`. */
const DEPENDENT =
  /^(?:func\d*|\d+|abi0|gowrap\d+|deferwrap\d+|cold|isra|part|constprop|lto_priv|llvm|so|[jt]s|py|rb|go|rs|java|cc?|cpp|h|(?:[jt]s|py|rb|go|rs|java|cc?|cpp|h):\d.*|\{.*\}|<.*>|operator\(\))$/;

/** Returns null for text that is not the name of a function, or has unpaired brackets. */
function partsOf(name: string): NameParts | null {
  const tokens: string[] = [];
  for (let at = 0; at < name.length; at += tokens.at(-1)!.length) {
    const token = match(OPERATOR, name, at) ?? match(SEPARATOR, name, at) ?? match(WORD, name, at) ?? group(name, at);
    if (token === null) return null;
    tokens.push(token);
  }
  const isArguments = (token: string, at: number): boolean =>
    token.startsWith('(') && at > 0 && !/^(?:\s|::|[./\\]$)/.test(tokens[at - 1]!) && !isSeparator(tokens[at + 1]);
  const called = tokens.findLastIndex(isArguments);
  const space = tokens.indexOf(' ');
  const end = called >= 0 ? called : space >= 0 ? space : tokens.length;
  const call = called >= 0 ? tokens[called]! : '';
  const tail = tokens.slice(called >= 0 ? end + 1 : end).join('');
  if (called < 0 && tail !== '' && !PLACE.test(tail)) return null;
  const start = tokens.lastIndexOf(' ', end - 1) + 1;
  const path: string[] = [''];
  for (const token of tokens.slice(start, end)) {
    path[path.length - 1] += token;
    if (isSeparator(token)) path.push('');
  }
  let identifier = path.pop()!;
  for (let first = identifier; path.length > 0 && DEPENDENT.test(first.replace(/(?:::|[./\\])$/, ''));) {
    first = path.pop()!;
    identifier = first + identifier;
  }
  return identifier === '' ? null : { lead: tokens.slice(0, start).join(''), path, identifier, call, tail };
}

const isSeparator = (token: string | undefined): boolean => token !== undefined && /^(?:::|[./\\])$/.test(token);

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** Returns the brackets that open at a place with what is between them, or one other character; null if unpaired. */
function group(name: string, at: number): string | null {
  if (CLOSING[name[at]!] === undefined) return name[at]!;
  const open: string[] = [];
  for (let end = at; end < name.length; end += 1) {
    const character = name[end]!;
    if (CLOSING[character] !== undefined) open.push(CLOSING[character]);
    else if (character === open.at(-1) && !(character === '>' && /[-=]/.test(name[end - 1]!))) open.pop();
    if (open.length === 0) return name.slice(at, end + 1);
  }
  return null;
}

/** Replaces what is between the outermost brackets of these kinds, from `start` on, by `…`. */
function elided(text: string, brackets: string, start = 0): string {
  let result = text.slice(0, start);
  for (let at = start; at < text.length;) {
    const character = text[at]!;
    const skipped = match(OPERATOR, text, at) ?? (brackets.includes(character) ? group(text, at) : null);
    const isNamed = at === 0 ? text.endsWith('::') : /[\w$>)\]]/.test(text[at - 1]!);
    if (skipped === null) result += character;
    else if (skipped.length > 3 && CLOSING[character] !== undefined && isNamed) {
      result += `${character}…${CLOSING[character]}`;
    } else result += skipped;
    at += (skipped ?? character).length;
  }
  return result;
}
