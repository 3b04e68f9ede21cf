import type { Targets } from '#app/engine/targets/targets.ts';
import { newestOf } from '#app/engine/targets/terminal-log.ts';
import { captureError, type CliError } from '../errors.ts';
import { isWatched, promptSize, showPrompt } from '../output/terminal.ts';

/** The terminal in which prompts of ssh and sudo are shown and answered. */
interface AnsweringTerminal {
  /** True while a prompt is waiting; nothing else should be written. */
  readonly isAsking: boolean;
  /** Returns why a connection was closed: the host prompted, and nobody can answer. */
  refusalOf(id: string): CliError | null;
  /** Releases the terminal. */
  close(): void;
}

/**
 * Connects the prompts of hosts to the user's terminal, one host at a time, each introduced by a line. A host receives
 * keys only while it is prompting. Without a terminal, connections that prompt are closed.
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
    // Set before the prompt is shown, so that this terminal does not echo the answer as well.
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
    // Ends the line, since the answer's line end may not have been echoed.
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
