import { constants } from 'node:os';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import { isDetached, isInForeground, usesTerminal } from '#collectors/target/own-terminal.ts';
import type { RecordingSession } from '#app/engine/recording/recording.ts';
import { countText } from '#core/units/format.ts';
import { isWatched, relay, say, showProgress } from '../output/terminal.ts';
import { onWrapperEnd } from './holders.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * Time in ms within which a further signal belongs to the same request: npm, and the starter under an older Node, forward
 * what the terminal has already sent to every process, and systemd ends a login session by TERM and HUP at once.
 */
const SAME_REQUEST_MS = 150;
/** Time in ms within which two Ctrl-C stop the recording instead of going to the recorded program. */
const TWICE_MS = 1500;
/** Time in seconds that the local watchdog, or a host's keeper, may take to end what still runs. */
const LEFT_SECONDS = 10;

/**
 * Ends the recording and keeps it at the first TERM, INT or HUP, at the end of the npx, npm or starter that runs this
 * command, or at an INT to npx or npm; a second signal exits immediately. `sharesTerminal` means that a program on this
 * machine is recorded, which receives Ctrl-C itself: the recording ends with the program, or at two quick presses.
 */
export function endOnSignals(session: RecordingSession, how: { readonly sharesTerminal: boolean }): { off(): void } {
  let isStopping = false;
  let last: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;

  const end = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    const previous = last;
    const isSame = previous !== null && now - previous.at < SAME_REQUEST_MS;
    if (isSame && (isStopping || previous.signal === signal)) return;
    last = { signal, at: now };
    if (isStopping) leaveAtOnce(session.status, signal);
    const isTwice = previous !== null && now - previous.at < TWICE_MS;
    if (signal === 'SIGINT' && how.sharesTerminal && !isTwice && usesTerminal() && isInForeground()) {
      say('Ctrl-C went to the program; press it twice to stop the recording');
      return;
    }
    isStopping = true;
    void session.stop();
    if (isWatched()) relay('\nstopping; press Ctrl-C again to exit now\n');
  };
  const heard = SIGNALS.filter((signal) => signal !== 'SIGHUP' || !isDetached());
  for (const signal of heard) process.on(signal, end);
  if (isDetached()) process.on('SIGHUP', ignore);
  const wrapper = onWrapperEnd(() => {
    // Skipped right after a signal, which the same key press has sent.
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

/** Exits immediately and leaves the capture as a crash would; the next command that reads the library recovers it. */
function leaveAtOnce({ captureId, hosts, samples }: RecordingStatus, signal: NodeJS.Signals): never {
  showProgress('');
  const where = hosts.map(({ host }) => host).join(', ');
  say(
    `exited at once: ${countText(samples, 'sample')} ${samples === 1 ? 'is' : 'are'} kept as capture ${captureId}, which flamebench captures recovers; the collector may run on ${where} for up to ${LEFT_SECONDS} s more`,
  );
  process.exit(128 + constants.signals[signal]);
}
