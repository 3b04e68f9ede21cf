import type { Component, ComponentId } from './components.mjs';

/**
 * Installs the missing components of `ids` if allowed, otherwise prints the command to run. Returns those still
 * missing. `elevate` holds the words that run a command as root; null if there are none. Detected if absent.
 */
export function provision(ids: readonly ComponentId[], elevate?: readonly string[] | null): Component[];
/**
 * Returns the words that run a command as root without a prompt; null if there are none. sudo is used only with
 * `CI=true` or `FLAMEBENCH_PROVISION=sudo`.
 */
export function elevation(env?: Readonly<Record<string, string | undefined>>, uid?: number): string[] | null;
/** Compiles node-pty if npm could not and a compiler is now installed. */
export function rebuildPty(): void;
/** Makes `npx flamebench` start the checkout's own command. */
export function linkCommand(): void;
export const needsOf: Readonly<Record<'start' | 'test', readonly ComponentId[]>>;
