import type { ContainerFacts } from '../contract/capture-facts.ts';

/**
 * Redacts who and where in shared files: names of users, hosts and folders become tokens that stay the same throughout.
 * Secrets are never captured in the first place (redact-argv.ts).
 */

/** Kinds of identities that can be replaced. */
export const REDACTIONS = ['home', 'user', 'host', 'paths', 'arguments', 'kernel-addresses', 'containers'] as const;
export type Redaction = (typeof REDACTIONS)[number];
/** Replaced by default. */
export const USUAL_REDACTIONS: readonly Redaction[] = ['home', 'user', 'host'];

/** A text that is replaced wherever it occurs. */
export interface Replacement {
  readonly kind: Redaction;
  /** As it occurs in the texts. */
  readonly from: string;
  readonly token: string;
}

/** Texts by what they may reveal. */
interface IdentifiedTexts {
  /** Names of functions, modules and files: `memcpy@GLIBC_2.34` is not a user at a host. */
  readonly symbols: Iterable<string>;
  /** Command lines and addresses. */
  readonly prose: Iterable<string>;
  /** Text written by users. Hosts of URLs in it are not collected, because readers follow the links. */
  readonly written: Iterable<string>;
  readonly hosts: Iterable<string>;
  readonly users: Iterable<string>;
  readonly containers: Iterable<Pick<ContainerFacts, 'id' | 'name' | 'image' | 'digest' | 'pod'>>;
}

const HOME =
  /(?<![\w.])(?:\/(?:var\/|export\/|usr\/)?home\/|\/Users\/|[A-Za-z]:[\\/]Users[\\/])([^\s/\\:;,'"<>|()[\]{}]{1,64})/g;
const USER_AT_HOST = /(?<![\w.@-])([a-z_][a-z0-9_.-]{0,31})@((?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z0-9])(?![\w@-])/gi;
const URL_HOST = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@]*@)?([a-z0-9][a-z0-9.-]*[a-z0-9])/gi;
const DIRECTORY = /(?<![\w./~:-])(\/(?:[\w.@+~-]+\/)+)(?=[\w.[(])/g;
const KERNEL_ADDRESS = /(?<![\da-z])(?:0x)?ffff[\da-f]{12}(?![\da-z])/gi;

/** Names that identify nobody. */
const NOBODY: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  '127.0.0.1',
  '::1',
  '0.0.0.0',
  'shared',
  'public',
]);

/** Names that are also words: replaced only within paths and addresses. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'root sample samples example admin administrator app apps apache build builder centos client daemon data debian default demo deploy dev developer docker ' +
    'ec2-user fedora git guest home host http https jenkins linux local main master mysql nginx nobody node operator oracle ' +
    'postgres prod production proxy redis runner server service staging test tester tomcat ubuntu user users vagrant web worker www www-data'
  ).split(' '),
);
const LEAST_WORD = 4;

const isWord = (name: string): boolean => name.length >= LEAST_WORD && !COMMON.has(name.toLowerCase());

/** Returns whether a host is unlikely to be another word, so that identifiers with it are replaced (`poll_db_eu7`). */
const isDistinctive = (host: string): boolean =>
  isWord(host) && host.length >= LEAST_DISTINCTIVE && /[a-z]/i.test(host) && /[\d.-]/.test(host);
const LEAST_DISTINCTIVE = 5;

/** Adds the form of a host's name in identifiers, which have neither hyphens nor dots. */
function withIdentifier(host: Replacement): Replacement[] {
  const from = host.from.replaceAll(/[.-]/g, '_');
  return from === host.from || !isDistinctive(host.from) ? [host] : [host, { ...host, from }];
}

/** Returns what would be replaced, users before hosts, each ordered by name. The same texts give the same tokens. */
export function findReplacements(texts: IdentifiedTexts, kinds: ReadonlySet<Redaction>): Replacement[] {
  const users = new Set([...texts.users].filter((name) => name !== '' && !NOBODY.has(name.toLowerCase())));
  const homes = new Set<string>();
  const hosts = new Set<string>();
  const directories = new Set<string>();
  const addresses = new Set<string>();
  const addHost = (host: string): void => {
    if (NOBODY.has(host.toLowerCase()) || host === '') return;
    hosts.add(host.toLowerCase());
    const [first = ''] = host.split('.');
    if (!/^\d+$/.test(first)) hosts.add(first.toLowerCase());
  };
  for (const host of texts.hosts) addHost(host);
  const look = (text: string, kind: 'symbol' | 'prose' | 'written'): void => {
    if (text.length > MOST_TEXT) return;
    for (const [, name] of text.matchAll(HOME)) if (!NOBODY.has(name!.toLowerCase())) homes.add(name!);
    if (kinds.has('paths')) for (const [, path] of text.matchAll(DIRECTORY)) directories.add(path!);
    if (kinds.has('kernel-addresses')) for (const [address] of text.matchAll(KERNEL_ADDRESS)) addresses.add(address);
    if (kind === 'symbol') return;
    for (const [, user, host] of text.matchAll(USER_AT_HOST)) {
      users.add(user!);
      addHost(host!);
    }
    if (kind === 'prose') for (const [, host] of text.matchAll(URL_HOST)) addHost(host!);
  };
  for (const text of texts.symbols) look(text, 'symbol');
  for (const text of texts.prose) look(text, 'prose');
  for (const text of texts.written) look(text, 'written');
  const named = [...new Set([...users, ...homes])].sort();
  // Names that differ only in case are one person: Windows and addresses ignore case.
  const people = [...new Set(named.map((name) => name.toLowerCase()))];
  const tokens = new Map(named.map((name) => [name, `user-${people.indexOf(name.toLowerCase()) + 1}`]));
  const list = (
    kind: Redaction,
    names: Iterable<string>,
    token: (name: string, place: number) => string,
  ): Replacement[] =>
    kinds.has(kind) ? [...names].sort().map((from, place) => ({ kind, from, token: token(from, place) })) : [];
  return [
    ...list('home', homes, (name) => tokens.get(name)!),
    ...list('user', named, (name) => tokens.get(name)!),
    ...list('host', hosts, (_, place) => `host-${place + 1}`).flatMap(withIdentifier),
    ...list('paths', directories, (_, place) => `/dir-${place + 1}/`),
    ...list('kernel-addresses', addresses, (_, place) => `kernel-address-${place + 1}`),
    ...(kinds.has('containers') ? containerReplacements(texts.containers) : []),
  ];
}

/** Returns containers, images, digests and pods, each ordered by name. */
function containerReplacements(containers: IdentifiedTexts['containers']): Replacement[] {
  const found = {
    container: new Set<string>(),
    image: new Set<string>(),
    digest: new Set<string>(),
    pod: new Set<string>(),
  };
  for (const { id, name, image, digest, pod } of containers) {
    found.container.add(id.slice(id.indexOf(':') + 1));
    if (name !== null) found.container.add(name);
    if (image !== null) found.image.add(image);
    if (digest !== null) found.digest.add(digest);
    if (pod !== null) for (const part of [pod, ...pod.split('/')]) found.pod.add(part);
  }
  return Object.entries(found).flatMap(([what, names]) =>
    [...names]
      .filter((name) => name !== '')
      .sort()
      .map((from, place): Replacement => ({ kind: 'containers', from, token: `${what}-${place + 1}` })),
  );
}

/** Longer texts are not searched, because a pattern might take long; names are shorter. */
const MOST_TEXT = 1_000_000;

/** Replaces identities in texts, and counts the replacements. */
export interface Redactor {
  readonly apply: (text: string) => string;
  /** By index in the list of replacements. */
  readonly counts: readonly number[];
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** Applies longer names first, because one may contain another. */
export function createRedactor(replacements: readonly Replacement[]): Redactor {
  const counts = replacements.map(() => 0);
  const rules = replacements
    .map((replacement, place) => ({ place, replacement, patterns: patternsOf(replacement) }))
    .sort(
      (a, b) =>
        KIND_ORDER[a.replacement.kind] - KIND_ORDER[b.replacement.kind] ||
        b.replacement.from.length - a.replacement.from.length,
    );
  const known = new Map<string, string>();
  // Most texts contain none of them.
  const any = rules.map(({ replacement }) => replacement.from.toLowerCase());
  return {
    counts,
    apply(text) {
      if (any.length === 0 || text === '') return text;
      const before = known.get(text);
      if (before !== undefined) return before;
      const lower = text.toLowerCase();
      let result = text;
      rules.forEach(({ place, replacement, patterns }, rule) => {
        if (!lower.includes(any[rule]!)) return;
        for (const pattern of patterns) {
          result = result.replace(pattern, () => {
            counts[place]! += 1;
            return replacement.token;
          });
        }
      });
      if (result === text) return text;
      known.set(text, result);
      return result;
    },
  };
}

const KIND_ORDER: Readonly<Record<Redaction, number>> = {
  paths: 0,
  home: 1,
  user: 2,
  host: 3,
  arguments: 4,
  'kernel-addresses': 5,
  // Before hosts, because a pod's name is also its host name.
  containers: 1.5,
};

function patternsOf({ kind, from }: Replacement): RegExp[] {
  const name = escapePattern(from);
  const end = String.raw`(?![\w])`;
  // Does not match tokens such as `user-1`.
  const place = String.raw`(?!\w|-\d)`;
  switch (kind) {
    case 'home':
      return [new RegExp(String.raw`(?<=(?:/home/|/Users/|[\\/]Users[\\/]))${name}${end}`, 'g')];
    case 'user':
      return isWord(from)
        ? [new RegExp(String.raw`(?<![\w])${name}${end}`, 'gi')]
        : [new RegExp(String.raw`(?<=(?:/home/|/Users/|[\\/]Users[\\/]))${name}${place}|(?<![\w.-])${name}(?=@)`, 'g')];
    case 'host':
      if (isDistinctive(from.replaceAll('_', '-'))) {
        return [new RegExp(String.raw`(?<![\da-z])${name}(?![\da-z])`, 'gi')];
      }
      return isWord(from)
        ? [new RegExp(String.raw`(?<![\w])${name}${end}`, 'gi')]
        : [new RegExp(String.raw`(?<=@|://)${name}${place}|^${name}$`, 'gi')];
    case 'containers':
      // Paths of control groups contain full ids.
      if (/^[\da-f]{12,}$/.test(from)) return [new RegExp(`${name}[\\da-f]*`, 'g')];
      return [new RegExp(isWord(from) ? String.raw`(?<![\w.-])${name}${end}` : `^${name}$`, 'g')];
    case 'paths':
      return [new RegExp(String.raw`(?<![\w./~:-])${name}(?=[\w.[(])`, 'g')];
    default:
      return [new RegExp(`(?<![\\da-z])${name}(?![\\da-z])`, 'gi')];
  }
}
