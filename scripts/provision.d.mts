import type { Component, ComponentId } from './components.mjs';

/**
 * Installs what the system lacks of `ids` where it may, otherwise prints the one line to run. Returns what is still missing.
 * `elevate` holds the words that make a command run as root; null: none does. Found out where absent.
 */
export function provision(ids: readonly ComponentId[], elevate?: readonly string[] | null): Component[];
/** The words that make a command run as root without a question; null where none may. sudo only with `CI=true` or `FLAMEBENCH_PROVISION=sudo`. */
export function elevation(env?: Readonly<Record<string, string | undefined>>, uid?: number): string[] | null;
/** Compiles node-pty where npm could not and there is a compiler by now. */
export function rebuildPty(): void;
/** Makes `npx flamebench` start the checkout's own command. */
export function linkCommand(): void;
export const needsOf: Readonly<Record<'start' | 'test', readonly ComponentId[]>>;
