import type { Targets } from '#app/engine/targets/targets.ts';
import { newestOf } from '#app/engine/targets/terminal-log.ts';
import { captureError, type CliError } from '../errors.ts';
import { isWatched, promptSize, showPrompt } from '../output/terminal.ts';

/** Where prompts of ssh and sudo are shown and answered. */
export interface AnsweringTerminal {
  /** A prompt waits: nothing else should be written. */
  readonly isAsking: boolean;
  /** Why the connection was closed: the host asked, and nobody is there to answer. */
  refusalOf(id: string): CliError | null;
  /** Gives the terminal back. */
  close(): void;
}

/**
 * Lets each host that asks talk with the user's terminal, one after the other, each introduced by a line of our own. Keys go to a host
 * only while it asks. Without a terminal what asks is closed.
 */
export function askInTerminal(targets: Targets, nameOf: (id: string) => string): AnsweringTerminal {
  const { stdin } = process;
  const canAsk = stdin.isTTY && isWatched();
  const asking: string[] = [];
  const unseen = new Map<string, string>();
  const refusals = new Map<string, CliError>();
  let heard: string | null = null;
  let isLineOpen = false;

  function show(text: string): void {
    showPrompt(text);
    isLineOpen = !text.endsWith('\n');
  }
  const type = (keys: string): void => {
    if (heard !== null) targets.answer(heard, keys);
  };

  function listen(id: string): void {
    heard = id;
    const { columns, rows } = promptSize();
    targets.resize(id, columns, rows);
    // Before the question: what answers it must not be echoed by this terminal too.
    stdin.setRawMode(true);
    stdin.setEncoding('utf8');
    stdin.on('data', type);
    stdin.resume();
    show(`flamebench: ${nameOf(id)} asks\n${(unseen.get(id) ?? '').trimStart()}`);
    unseen.delete(id);
  }

  function stopListening(): void {
    heard = null;
    stdin.off('data', type);
    stdin.setRawMode(false);
    stdin.pause();
    // The end of the line that was answered may not have been heard.
    if (isLineOpen) show('\n');
  }

  function follow(id: string, isAsking: boolean, question: string | null): void {
    if (isAsking && !canAsk) {
      refusals.set(id, cannotAsk(nameOf(id), question));
      void targets.disconnect(id);
      return;
    }
    const place = asking.indexOf(id);
    if (isAsking && place < 0) asking.push(id);
    if (!isAsking && place >= 0) asking.splice(place, 1);
    if (heard !== null && heard !== asking[0]) stopListening();
    if (heard === null && asking[0] !== undefined) listen(asking[0]);
  }

  targets.onEvent((event) => {
    if (event.kind === 'target-state') {
      follow(event.target, event.state.kind === 'needs-you', event.state.message);
    } else if (event.kind === 'target-terminal') {
      if (event.target === heard) show(event.text);
      else unseen.set(event.target, newestOf(`${unseen.get(event.target) ?? ''}${event.text}`));
    }
  });

  return {
    get isAsking() {
      return heard !== null;
    },
    refusalOf: (id) => refusals.get(id) ?? null,
    close() {
      if (heard !== null) stopListening();
    },
  };
}

function cannotAsk(name: string, question: string | null): CliError {
  return captureError(
    `${name} asks${question === null ? '' : ` (${question})`}, and there is no terminal to answer in`,
    'run this in a terminal once, or let ssh log in without questions: a key in ssh-agent, the host in known_hosts',
  );
}
