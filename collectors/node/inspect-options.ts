import { isLoopbackHost } from '#core/contract/loopback-host.ts';

/** What a command line and NODE_OPTIONS say of the inspector. */
export interface InspectOptions {
  /** The port that SIGUSR1 opens; 0: any free one. */
  readonly port: number;
  /** The address as written, if it is not the loopback's: other machines would reach the inspector. */
  readonly foreignHost: string | null;
  readonly isSignalDisabled: boolean;
}

const DEFAULT_PORT = 9229;
const ADDRESS_OPTION = /^--(?:inspect(?:-brk|-wait|-port|-brk-node)?|debug-port)(?:=(.*))?$/;

/** Reads options as Node does: the last one counts, and those of the command line come after NODE_OPTIONS. */
export function readInspectOptions(argv: readonly string[], nodeOptions: string): InspectOptions {
  const words = [...nodeOptions.split(/\s+/).map((word) => word.replace(/^"|"$/g, '')), ...argv.slice(1)];
  let port = DEFAULT_PORT;
  let foreignHost: string | null = null;
  for (const [place, word] of words.entries()) {
    const found = ADDRESS_OPTION.exec(word);
    if (found === null) continue;
    // Only the options for a port take their value from the next word.
    const value = found[1] ?? (word.endsWith('-port') ? words[place + 1] : undefined) ?? '';
    const [, before, digits] = /^(?:(.*):)?(\d{1,5})$/.exec(value) ?? [];
    const host = digits === undefined ? value : (before ?? '');
    if (digits !== undefined) port = Number(digits);
    if (host !== '') foreignHost = isLoopbackHost(host) ? null : host;
  }
  return { port, foreignHost, isSignalDisabled: words.includes('--disable-sigusr1') };
}
