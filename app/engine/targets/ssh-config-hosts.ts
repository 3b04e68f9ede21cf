import { readdir } from 'node:fs/promises';
import { isAbsolute, join, normalize, parse, sep } from 'node:path';
import { targetNameSchema, type OfferedHost } from '#core/contract/target.ts';
import { formatTargetId, parseTargetId } from '#core/contract/target-id.ts';
import { isMissing } from '../failure.ts';
import { NotASmallFile, readSmallFile } from '../disk/read-small-file.ts';

/** Hosts of an ssh client configuration; see ssh_config(5). */
export interface ConfigHosts {
  /** In the order of the file. */
  readonly hosts: readonly OfferedHost[];
  /** What was not read, one line each. */
  readonly notes: readonly string[];
}

/** Maximum depth of includes; ssh allows 16 (READCONF_MAX_DEPTH in readconf.c). */
const MAX_DEPTH = 16;
const MAX_FILES = 200;
const MAX_FILE_BYTES = 1 << 20;
const MAX_HOSTS = 1000;

/**
 * Returns the names that `Host` lines spell out, for the user to choose from; only ssh resolves them. Patterns are not
 * names. Hosts that only a `Match`, or an `Include` inside another host's block, provides are noted but not read. Never
 * rejects.
 */
export async function readConfigHosts(path: string, home: string): Promise<ConfigHosts> {
  const reading = new ConfigReader(home);
  await reading.readFile(path, 0);
  return reading.result();
}

class ConfigReader {
  readonly #home: string;
  readonly #hosts = new Map<string, { hostName: string | null }>();
  readonly #notes = new Set<string>();
  readonly #files = new Set<string>();
  #unusable = 0;

  constructor(home: string) {
    this.#home = home;
  }

  async readFile(path: string, depth: number): Promise<void> {
    if (this.#files.has(path)) return;
    this.#files.add(path);
    const bytes = await readSmallFile(path, MAX_FILE_BYTES, { followLinks: true }).catch((error: unknown) => error);
    if (bytes instanceof NotASmallFile) {
      this.#notes.add(
        `${this.#shorten(path)} can’t be read (not a regular file of at most 1 MiB); its hosts are not listed`,
      );
      return;
    }
    if (!(bytes instanceof Buffer)) {
      if (!isMissing(bytes)) this.#notes.add(`${this.#shorten(path)} can’t be read; its hosts are not listed`);
      return;
    }
    await this.#readLines(bytes.toString('utf8'), path, depth);
  }

  async #readLines(text: string, path: string, depth: number): Promise<void> {
    let block: Block = { kind: 'all' };
    for (const line of text.split('\n')) {
      const [keyword = '', ...words] = splitLine(line);
      switch (keyword.toLowerCase()) {
        case 'host':
          block = this.#openBlock(words);
          break;
        case 'match':
          block = { kind: 'match' };
          this.#notes.add(`${this.#shorten(path)}: Match blocks are not read here; ssh applies them when it connects`);
          break;
        case 'hostname':
          if (block.kind === 'hosts') for (const name of block.names) this.#nameHost(name, words[0]);
          break;
        case 'include':
          if (block.kind === 'all') await this.#include(words, depth);
          else this.#notes.add(`${this.#shorten(path)}: an Include inside a block is not followed for this list`);
          break;
      }
    }
  }

  /** Returns the block that a `Host` line opens; `Host *` has no restriction. */
  #openBlock(patterns: readonly string[]): Block {
    if (patterns.length === 1 && patterns[0] === '*') return { kind: 'all' };
    const names = patterns.filter((pattern) => !/[*?!]/.test(pattern));
    for (const name of names) if (!this.#hosts.has(name)) this.#hosts.set(name, { hostName: null });
    return { kind: 'hosts', names };
  }

  /** Sets the host name; the first value takes precedence, as in ssh. */
  #nameHost(name: string, hostName: string | undefined): void {
    const host = this.#hosts.get(name);
    if (host !== undefined && hostName !== undefined) host.hostName ??= hostName.slice(0, 300);
  }

  async #include(patterns: readonly string[], depth: number): Promise<void> {
    for (const pattern of patterns) {
      const path = pattern.replace(/^~(?=\/)/, this.#home);
      const absolute = isAbsolute(path) ? path : join(this.#home, '.ssh', path);
      for (const file of await listMatches(absolute)) {
        if (depth >= MAX_DEPTH || this.#files.size >= MAX_FILES) {
          this.#notes.add('~/.ssh/config includes too many files; this list is incomplete');
          return;
        }
        await this.readFile(file, depth + 1);
      }
    }
  }

  #shorten(path: string): string {
    return path.startsWith(`${this.#home}/`) ? `~${path.slice(this.#home.length)}` : path;
  }

  result(): ConfigHosts {
    const hosts = [...this.#hosts].flatMap(([name, { hostName }]) => {
      const id = idOf(name);
      if (id === null) this.#unusable++;
      return id === null ? [] : [{ id, name, hostName }];
    });
    if (this.#unusable > 0)
      this.#notes.add(
        `~/.ssh/config: ${this.#unusable === 1 ? '1 host has a name' : `${this.#unusable} hosts have names`} that can’t be used here`,
      );
    if (hosts.length > MAX_HOSTS) this.#notes.add(`~/.ssh/config: ${MAX_HOSTS} of ${hosts.length} hosts are listed`);
    return { hosts: hosts.slice(0, MAX_HOSTS), notes: [...this.#notes] };
  }
}

type Block = { readonly kind: 'all' | 'match' } | { readonly kind: 'hosts'; readonly names: readonly string[] };

/**
 * Splits a line into its keyword and words: separated by spaces or one `=`, quoted if they contain spaces; `#` starts a
 * comment.
 */
function splitLine(line: string): string[] {
  const words: string[] = [];
  const separated = line.trim().replace(/^([A-Za-z]+)\s*=\s*/, '$1 ');
  for (const match of separated.matchAll(/"([^"]*)"|(#.*)|(\S+)/g)) {
    if (match[2] !== undefined) break;
    words.push(match[1] ?? match[3] ?? '');
  }
  return words;
}

/** Returns the paths that an absolute pattern can mean, sorted by name, as glob(3) does; without wildcards, the path. */
async function listMatches(pattern: string): Promise<string[]> {
  const { root } = parse(pattern);
  let paths = [root];
  for (const name of normalize(pattern).slice(root.length).split(sep)) {
    const isName = nameMatcher(name);
    const found = paths.map(async (folder) => {
      const names = isName === null ? [name] : await readdir(folder).catch(() => []);
      return names.filter(isName ?? Boolean).map((one) => join(folder, one));
    });
    paths = (await Promise.all(found)).flat().slice(0, MAX_FILES + 1);
  }
  return paths.sort();
}

/** Returns what a part of a pattern matches: a first dot only if it has one itself. Null: it has no wildcard. */
function nameMatcher(part: string): ((name: string) => boolean) | null {
  if (!/[*?[]/.test(part)) return null;
  const escaped = part.replaceAll(/[\\^$.+(){}|]/g, String.raw`\$&`);
  const source = escaped.replaceAll('[!', '[^').replaceAll('*', '.*').replaceAll('?', '.');
  try {
    const pattern = new RegExp(`^${source}$`, 's');
    return (name) => pattern.test(name) && (part.startsWith('.') || !name.startsWith('.'));
  } catch {
    return () => false;
  }
}

function idOf(name: string): string | null {
  try {
    const id = formatTargetId(parseTargetId(`ssh://${name}`));
    return targetNameSchema.safeParse(name).success && id === `ssh://${name}` ? id : null;
  } catch {
    return null;
  }
}
