import type { TargetList } from '#core/contract/target.ts';
import { LOCAL_TARGET, parseTargetId, TargetIdFailure } from '#core/contract/target-id.ts';
import type { Target } from '#collectors/target/target.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { findTarget, openTargets, type Targets } from '#app/engine/targets/targets.ts';
import { askInTerminal } from './ask-in-terminal.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { say } from '../output/terminal.ts';

/** The option that names one target, for commander's `option()`. */
export const TARGET_OPTION = [
  '--target <target>',
  'where: ssh://[user@]host[:port], or a name from flamebench targets',
  LOCAL_TARGET,
] as const;

/** Targets as a command names them, connected through its terminal. */
export interface CliTargets {
  readonly registry: Targets;
  /**
   * Returns target IDs for IDs, saved names or `Host` entries of ~/.ssh/config. Throws a usage error if a word names
   * none, or one twice.
   */
  resolve(words: readonly string[]): Promise<string[]>;
  /** The same for one word. */
  resolveOne(word: string): Promise<string>;
  /** Returns the user's name for a target. */
  nameOf(id: string): string;
  /**
   * Returns a connected target. Typing it counts as the confirmation that a window asks for. Rejects with a `CliError`.
   */
  open(id: string): Promise<Target>;
  /** True while a prompt is waiting; nothing else should be written to the terminal. */
  readonly isAsking: boolean;
}

/** Opens the targets for one command, and cleans up afterwards. */
export async function withTargets<T>(action: (targets: CliTargets) => Promise<T>): Promise<T> {
  const registry = await openTargets({ configPath: defaultConfigPath() });
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? id;
  const idOf = (word: string, list: TargetList): string => {
    const id = findOrRefuse(word, list);
    names.set(id, word);
    return id;
  };
  let told = 0;
  const terminal = askInTerminal(registry, nameOf);
  registry.onEvent((event) => {
    if (event.kind !== 'target-state' || event.state.kind !== 'up' || event.state.message === null) return;
    say(`note: ${nameOf(event.target)}: ${event.state.message}. ${event.state.remedy ?? ''}`);
  });
  try {
    return await action({
      registry,
      nameOf,
      async resolve(words) {
        const list = await registry.list();
        const ids = words.map((word) => idOf(word, list));
        const twice = ids.find((id, index) => ids.indexOf(id) !== index);
        if (twice !== undefined) throw usageError(`${twice} is named twice`, 'name each target once');
        return ids;
      },
      resolveOne: async (word) => idOf(word, await registry.list()),
      async open(id) {
        try {
          await registry.connect(id, true);
          const target = await registry.open(id);
          for (const note of registry.journal.notes.slice(told)) say(`note: ${note}`);
          told = registry.journal.notes.length;
          return target;
        } catch (error) {
          throw terminal.refusalOf(id) ?? toCliError(error);
        }
      },
      get isAsking() {
        return terminal.isAsking;
      },
    });
  } finally {
    terminal.close();
    await registry.dispose();
  }
}

/** Returns the ID of a target by ID or name; null if the name is unknown. Throws a usage error for an invalid ID. */
export function idNamed(word: string, list: TargetList): string | null {
  try {
    return findTarget(word, list);
  } catch (error) {
    if (error instanceof TargetIdFailure) throw usageError(error.message);
    throw error;
  }
}

function findOrRefuse(word: string, list: TargetList): string {
  const id = idNamed(word, list);
  if (id !== null) return id;
  throw usageError(
    `unknown target ${JSON.stringify(word)}`,
    isHostName(word)
      ? `flamebench targets lists them; for a new host use ssh://${word}`
      : 'flamebench targets lists them',
  );
}

function isHostName(word: string): boolean {
  try {
    return parseTargetId(`ssh://${word}`).kind === 'ssh';
  } catch {
    return false;
  }
}
