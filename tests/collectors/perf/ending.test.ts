import { expect, test } from 'vitest';
import { describeEnding, type EndingFacts } from '#collectors/perf/ending.ts';

const facts: EndingFacts = {
  scope: { kind: 'pid', pid: 42, startTicks: null },
  host: 'web1',
  ask: null,
  forced: false,
  refusal: null,
  storageFailure: null,
  exit: { code: 0, signal: null },
  linkLost: false,
  stderr: '',
  lastMessage: null,
  samples: 100,
  bytes: 9000,
  scriptFailure: null,
  keepsStream: true,
  targetEnded: false,
  durationMs: 1500,
  recordedMs: 1500,
};
const command: EndingFacts['scope'] = { kind: 'command', argv: ['app'] };
const failure = { code: 'disk-full', message: 'the disk is full', remedy: 'free some space' };
const killed = { code: null, signal: 'SIGKILL' };

test.each<[string, Partial<EndingFacts>, string]>([
  ['ends by itself', {}, 'finished'],
  ['the target ends', { targetEnded: true }, 'finished +target-ended'],
  ['is stopped', { ask: 'stop', exit: { code: null, signal: 'SIGINT' } }, 'finished'],
  ['is stopped without samples', { ask: 'stop', exit: { code: null, signal: 'SIGINT' }, samples: 0 }, 'finished'],
  ['is stopped and must be killed', { ask: 'stop', exit: killed, forced: true }, 'finished +killed'],
  ['is cancelled', { ask: 'cancel', exit: killed, samples: 3 }, 'cancelled'],
  ['is cancelled after a failure', { ask: 'cancel', refusal: failure }, 'cancelled'],
  ['is stopped before it began', { ask: 'stop', exit: null, samples: 0 }, 'cancelled'],
  ['must not be kept', { refusal: failure }, 'failed disk-full'],
  ['perf is killed', { exit: killed }, 'finished incomplete +collector-killed'],
  ['perf is killed without samples', { exit: killed, samples: 0 }, 'failed perf-failed'],
  ['perf fails in the middle', { exit: { code: 255, signal: null } }, 'finished incomplete +collector-failed'],
  [
    'perf fails at once',
    { exit: { code: 255, signal: null }, samples: 0, stderr: 'No such process' },
    'failed no-such-process',
  ],
  ['the command fails', { scope: command, exit: { code: 3, signal: null } }, 'finished +command-exit'],
  [
    'the command fails early',
    { scope: command, exit: { code: 3, signal: null }, samples: 0 },
    'finished +command-exit',
  ],
  [
    'the command says something like perf does',
    { scope: command, exit: { code: 1, signal: null }, stderr: 'Error: x: No such file or directory\n' },
    'finished +command-exit',
  ],
  [
    'the command does not exist',
    {
      scope: command,
      exit: { code: 255, signal: null },
      samples: 0,
      stderr: `Failed to collect 'x' for the 'y' workload: No such file or directory`,
    },
    'failed command-not-found',
  ],
  [
    'the disk is full',
    { storageFailure: failure, exit: { code: null, signal: 'SIGINT' } },
    'finished incomplete +disk-full',
  ],
  ['the disk was full from the start', { storageFailure: failure, samples: 0 }, 'failed disk-full'],
  ['the link is lost', { exit: { code: null, signal: null }, linkLost: true }, 'finished incomplete +link-lost'],
  ['the link is lost at once', { exit: { code: null, signal: null }, linkLost: true, samples: 0 }, 'failed link-lost'],
  ['perf script fails', { scriptFailure: 'out of memory' }, 'finished +script-failed'],
])('%s: %s', (_name, changes, expected) => {
  const { state, incomplete, diagnostics, error } = describeEnding({ ...facts, ...changes });
  const words = [
    state,
    ...(incomplete ? ['incomplete'] : []),
    ...diagnostics.map(({ code }) => `+${code}`),
    ...(error === null ? [] : [error.code]),
  ];
  expect(words.join(' ')).toBe(expected);
  for (const { message, remedy } of diagnostics) expect(`${message}${remedy ?? ''}`).not.toContain('\n');
});

test('the last words of a command that failed are told', () => {
  const { diagnostics } = describeEnding({
    ...facts,
    scope: command,
    exit: { code: 3, signal: null },
    lastMessage: 'port 80 is taken',
  });
  expect(diagnostics[0]?.message).toBe('The command ended with exit code 3 after 1.5 s; last output: port 80 is taken');
});
