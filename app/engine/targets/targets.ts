import { userInfo } from 'node:os';
import { join } from 'node:path';
import { homeFolder } from '#collectors/home-folder.ts';
import type { TargetList, TargetRow, TargetState } from '#core/contract/target.ts';
import { formatTargetId, LOCAL_TARGET, parseTargetId } from '#core/contract/target-id.ts';
import type { EngineEvent } from '#core/contract/contract.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { createSshTarget } from '#collectors/target/ssh/ssh-target.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';
import { openJournal, type Journal } from './journal.ts';
import { createLink, type Link } from './link.ts';
import { createTerminal } from './terminal-log.ts';
import { openSavedTargets, type SavedTarget } from './saved-targets.ts';
import { readConfigHosts } from './ssh-config-hosts.ts';

type TargetEvent = Extract<EngineEvent, { kind: 'targets-changed' | 'target-state' | 'target-terminal' }>;

/**
 * The targets on which captures are made: this machine, and hosts with one connection each, which all windows share.
 */
export interface Targets {
  list(): Promise<TargetList>;
  /** Rejects with code `name-taken`, or if `targets.json` cannot be written. */
  save(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Returns what {@link connect} would run, and whether this user has never connected there. */
  plan(id: string): { readonly command: readonly string[]; readonly isNew: boolean };
  /**
   * Resolves when the target is connected. `confirmed` means that the user has seen the command. Rejects with
   * `not-confirmed` or `not-connected`.
   */
  connect(id: string, confirmed: boolean): Promise<TargetState>;
  disconnect(id: string): Promise<TargetState>;
  terminal(id: string): { readonly text: string; readonly end: number };
  /** Shows text of a program that was launched on the target in its terminal. */
  print(id: string, text: string): void;
  /** Returns false if no prompt is waiting. */
  answer(id: string, text: string): boolean;
  resize(id: string, columns: number, rows: number): void;
  /**
   * Returns the target, connected if it is a host. Rejects as {@link connect} does, also if an earlier attempt failed.
   */
  open(id: string): Promise<Target>;
  onEvent(listener: (event: TargetEvent) => void): void;
  /** Records which recordings started where, and what was found of those that were cut off. */
  readonly journal: Journal;
  /** Closes all connections and cleans up all targets. Idempotent. */
  dispose(): Promise<void>;
}

export interface TargetsOptions {
  /** Folder of `targets.json`. */
  readonly configPath: string;
  /** Replaces ~/.ssh/config and the system's; defaults to `$FLAMEBENCH_SSH_CONFIG`, null for none. */
  readonly sshConfigPath?: string | null | undefined;
  readonly platform?: string;
}

const UP: TargetState = { kind: 'up', message: null, remedy: null };
const IDLE: TargetState = { kind: 'idle', message: null, remedy: null };

export async function openTargets(options: TargetsOptions): Promise<Targets> {
  const saved = await openSavedTargets(options.configPath);
  const local = createLocalTarget();
  const journal = openJournal(options.configPath);
  const links = new Map<string, Link>();
  const localTerminal = createTerminal((text, end) =>
    tell({ kind: 'target-terminal', target: LOCAL_TARGET, text, end }),
  );
  const listeners = new Set<(event: TargetEvent) => void>();
  const { sshConfigPath = process.env['FLAMEBENCH_SSH_CONFIG'] ?? null } = options;
  const sshOptions = sshConfigPath === null ? {} : { configFile: sshConfigPath };
  const isAvailable = (options.platform ?? process.platform) !== 'win32';
  let disposed: Promise<void> | null = null;

  function tell(event: TargetEvent): void {
    for (const listener of listeners) listener(event);
  }
  saved.onForeignChange(() => tell({ kind: 'targets-changed' }));

  /** Resolves when all connections have been recorded. */
  let remembered: Promise<void> = Promise.resolve();
  function remember(id: string): void {
    const written = saved.connected(id).then(() => tell({ kind: 'targets-changed' }));
    remembered = Promise.all([remembered, written]).then(() => undefined);
  }

  const isKnown = (id: string): boolean => saved.list().some((row) => row.id === id && row.connectedAt !== null);

  function linkTo(id: string): Link {
    const found = links.get(id);
    if (found !== undefined) return found;
    const address = parseTargetId(id);
    if (address.kind === 'local') throw new EngineFailure('invalid-arguments', 'This machine needs no connection.');
    if (!isAvailable) throw new EngineFailure('not-available', UNAVAILABLE);
    const link = createLink(createSshTarget(address, sshOptions), {
      onState(state) {
        if (state.kind === 'up') remember(id);
        tell({ kind: 'target-state', target: id, state });
      },
      onText: (text, end) => tell({ kind: 'target-terminal', target: id, text, end }),
    });
    links.set(id, link);
    return link;
  }

  /** Returns the link of a target whose command the user has seen, or typed. */
  function confirmedLink(id: string, confirmed: boolean): Link {
    const link = linkTo(id);
    if (!confirmed && link.state.kind !== 'up' && !isKnown(id)) {
      throw new EngineFailure(
        'not-confirmed',
        `This machine has not connected to ${id} yet.`,
        'Review the command and confirm it.',
      );
    }
    return link;
  }

  return {
    async list() {
      const home = userHome();
      const config = await readConfigHosts(sshConfigPath ?? join(home, '.ssh', 'config'), home);
      const targets = targetRows(saved.list(), links);
      return {
        targets,
        offered: config.hosts.filter(({ id }) => targets.every((row) => row.id !== id)),
        notes: [...config.notes, ...saved.notices, ...journal.notes],
        unavailable: isAvailable ? null : UNAVAILABLE,
      };
    },
    async save(id, name) {
      if (id === LOCAL_TARGET) throw new EngineFailure('invalid-arguments', 'This machine can’t be removed.');
      if (name === LOCAL_TARGET) {
        throw new EngineFailure('name-taken', 'The name local is reserved for this machine.', 'Choose another name.');
      }
      await saved.save(id, name).finally(() => tell({ kind: 'targets-changed' }));
    },
    async remove(id) {
      const link = links.get(id);
      links.delete(id);
      await link?.dispose();
      await saved.forget(id).finally(() => tell({ kind: 'targets-changed' }));
    },
    plan: (id) => ({ command: linkTo(id).target.connection.argv, isNew: !isKnown(id) }),
    async connect(id, confirmed) {
      if (id === LOCAL_TARGET) return UP;
      const link = confirmedLink(id, confirmed);
      await link.connect();
      return link.state;
    },
    async disconnect(id) {
      const link = links.get(id);
      await link?.close();
      return link?.state ?? (id === LOCAL_TARGET ? UP : IDLE);
    },
    terminal(id) {
      const { text, end } = (id === LOCAL_TARGET ? localTerminal : links.get(id)?.terminal) ?? { text: '', end: 0 };
      return { text, end };
    },
    print(id, text) {
      (id === LOCAL_TARGET ? localTerminal : links.get(id)?.terminal)?.print(text);
    },
    answer: (id, text) => links.get(id)?.target.connection.terminal.write(text) ?? false,
    resize: (id, columns, lines) => links.get(id)?.target.connection.terminal.resize(columns, lines),
    async open(id) {
      if (id === LOCAL_TARGET) {
        await journal.clear(id, local);
        return local;
      }
      const link = confirmedLink(id, false);
      await link.ensure();
      await journal.clear(id, link.target);
      return link.target;
    },
    onEvent: (listener) => void listeners.add(listener),
    journal,
    dispose: () =>
      (disposed ??= (async () => {
        await Promise.all([local.dispose(), ...[...links.values()].map((link) => link.dispose())]);
        await remembered;
        await saved.close();
      })()),
  };
}

/**
 * Returns the home folder in the user database, which ssh uses regardless of $HOME. In a container the user may be
 * missing from it.
 */
function userHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homeFolder();
  }
}

/** Returns the targets that the user saved, and others used since the start, sorted by name. */
function targetRows(kept: readonly SavedTarget[], links: ReadonlyMap<string, Link>): TargetRow[] {
  const used = [...links].filter(([, { state }]) => state.kind !== 'idle');
  const ids = new Set([...kept.filter(({ name }) => name !== null).map(({ id }) => id), ...used.map(([id]) => id)]);
  const hosts = [...ids].map((id): TargetRow => {
    const { name, connectedAt } = kept.find((row) => row.id === id) ?? { name: null, connectedAt: null };
    return {
      id,
      name: name ?? defaultName(id),
      origin: name === null ? 'used' : 'saved',
      state: links.get(id)?.state ?? IDLE,
      connectedAt,
    };
  });
  hosts.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  return [{ id: LOCAL_TARGET, name: 'local', origin: 'local', state: UP, connectedAt: null }, ...hosts];
}

const UNAVAILABLE =
  'Remote targets need Linux or macOS on this side: OpenSSH for Windows can’t share one connection (ControlMaster).';

/** Returns `web1` or `ada@web1:2222`. */
const defaultName = (id: string): string => id.slice('ssh://'.length);

/**
 * Returns the ID of a target that a user names: `local`, `ssh://…`, a saved name, or a `Host` of ~/.ssh/config; null if
 * there is none.
 */
export function findTarget(text: string, { targets, offered }: TargetList): string | null {
  const named = targets.find(({ name }) => name === text) ?? offered.find(({ name }) => name === text);
  if (named !== undefined) return named.id;
  return text === LOCAL_TARGET || text.includes('://') ? formatTargetId(parseTargetId(text)) : null;
}
