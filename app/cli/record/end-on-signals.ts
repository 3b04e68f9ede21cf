import { constants } from 'node:os';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import { isDetached, isInForeground, usesTerminal } from '#collectors/target/own-terminal.ts';
import type { RecordingSession } from '#app/engine/recording/recording.ts';
import { isWatched, relay, say, showProgress } from '../output/terminal.ts';
import { onWrapperEnd } from './holders.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm, and the starter under an older Node, pass on what the terminal has sent to all: one key, two signals. Milliseconds. */
const SAME_KEY_MS = 150;
/** Two Ctrl-C within this are for the recording, not for the program that is recorded. Milliseconds. */
const TWICE_MS = 1500;
/** How long the watchdog here, or a host's keeper, may take to end what is left. Seconds. */
const LEFT_SECONDS = 10;

/**
 * The first TERM, INT or HUP ends the recording and keeps it, as does the end of npx, npm or the starter that this command runs under, or an INT to npx or npm; a second one leaves at once. `sharesTerminal`: a program of this machine is recorded,
 * which Ctrl-C reaches by itself: the recording ends with it, or at a second Ctrl-C soon after.
 */
export function endOnSignals(session: RecordingSession, how: { readonly sharesTerminal: boolean }): { off(): void } {
  let isStopping = false;
  let last: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;

  const end = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    const previous = last;
    if (previous?.signal === signal && now - previous.at < SAME_KEY_MS) return;
    last = { signal, at: now };
    if (isStopping) leaveAtOnce(session.status, signal);
    const isTwice = previous !== null && now - previous.at < TWICE_MS;
    if (signal === 'SIGINT' && how.sharesTerminal && !isTwice && usesTerminal() && isInForeground()) {
      say('Ctrl-C went to the program; press it twice to stop the recording');
      return;
    }
    isStopping = true;
    void session.stop();
    if (isWatched()) relay('\nstopping; press Ctrl-C again to leave at once\n');
  };
  const heard = SIGNALS.filter((signal) => signal !== 'SIGHUP' || !isDetached());
  for (const signal of heard) process.on(signal, end);
  if (isDetached()) process.on('SIGHUP', ignore);
  const wrapper = onWrapperEnd(() => {
    // A key is known by its signal.
    if (last === null || performance.now() - last.at > TWICE_MS) end('SIGTERM');
  });
  return {
    off() {
      wrapper.off();
      for (const signal of heard) process.off(signal, end);
      process.off('SIGHUP', ignore);
    },
  };
}

const ignore = (): void => undefined;

/** The capture stays as a crash leaves it: the next command that reads the library recovers it. */
function leaveAtOnce({ captureId, hosts, samples }: RecordingStatus, signal: NodeJS.Signals): never {
  showProgress('');
  const where = hosts.map(({ host }) => host).join(', ');
  say(
    `left at once: ${samples.toLocaleString('en')} samples are kept as capture ${captureId}, which flamebench captures recovers; perf may run on ${where} for up to ${LEFT_SECONDS} s more`,
  );
  process.exit(128 + constants.signals[signal]);
}
