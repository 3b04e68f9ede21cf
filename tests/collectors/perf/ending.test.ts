import { expect, test } from 'vitest';
import { describeEnding, type EndingFacts } from '#collectors/perf/ending.ts';

const facts: EndingFacts = {
  scope: { kind: 'pid', pid: 42, startTicks: null },
  host: 'web1',
  ask: null,
  forced: false,
  refusal: null,
  storageFailure: null,
  program: null,
  exit: { code: 0, signal: null },
  linkLost: false,
  isTorn: false,
  stderr: '',
  version: null,
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
const program = (code: number, isReleased = true): EndingFacts['program'] => ({
  exit: { code, signal: null },
  isReleased,
  wasEnded: false,
});
const endedHere: EndingFacts['program'] = { exit: { code: null, signal: 'SIGTERM' }, isReleased: true, wasEnded: true };
const failure = { code: 'disk-full', message: "Can't write /a: the disk of web1 is full.", remedy: 'free some space' };
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
  ['the command fails', { scope: command, program: program(3) }, 'finished +command-exit'],
  [
    'the command fails, and perf is told to end',
    { scope: command, program: program(3), exit: { code: null, signal: 'SIGINT' } },
    'finished +command-exit',
  ],
  ['the command fails early', { scope: command, program: program(3), samples: 0 }, 'finished +command-exit'],
  [
    'the command is killed',
    { scope: command, program: { exit: { code: null, signal: 'SIGSEGV' }, isReleased: true, wasEnded: false } },
    'finished +command-exit',
  ],
  [
    'perf is killed before the command ends',
    { scope: command, program: endedHere, exit: killed },
    'finished incomplete +collector-killed',
  ],
  [
    'the command does not exist',
    { scope: command, program: program(127, false), exit: { code: null, signal: 'SIGINT' }, samples: 0 },
    'failed command-not-executable',
  ],
  [
    'the disk is full',
    { storageFailure: failure, exit: { code: null, signal: 'SIGINT' } },
    'finished incomplete +disk-full',
  ],
  ['the disk was full from the start', { storageFailure: failure, samples: 0 }, 'failed disk-full'],
  ['the link is lost', { exit: { code: null, signal: null }, linkLost: true }, 'finished incomplete +link-lost'],
  [
    'the text is cut off',
    { exit: { code: null, signal: null }, linkLost: true, isTorn: true },
    'finished incomplete +text-cut-off',
  ],
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

test.each<[string, Partial<EndingFacts>, string]>([
  [
    'the disk is full',
    { storageFailure: failure, exit: { code: null, signal: 'SIGINT' }, recordedMs: 2000 },
    "Kept 1.5 s (100 samples) of 2.0 s; the rest is lost: Can't write /a: the disk of web1 is full. The command was ended, too.",
  ],
  ['perf is killed', { exit: killed }, 'perf was killed by SIGKILL after 1.5 s. The command was ended, too.'],
])('%s: says that the command was ended with the recording', (_name, changes, expected) => {
  const { diagnostics } = describeEnding({ ...facts, scope: command, program: endedHere, ...changes });
  expect(diagnostics.map(({ message }) => message)).toEqual([expected]);
});

test('reports the last output of a command that failed', () => {
  const { diagnostics } = describeEnding({
    ...facts,
    scope: command,
    program: program(3),
    lastMessage: 'port 80 is taken',
  });
  expect(diagnostics[0]?.message).toBe('The command ended with exit code 3 after 1.5 s; last output: port 80 is taken');
});
