import { expect, test } from 'vitest';
import { CPU_TIME_MISSED, correctedRecording, recordArgv } from '#core/contract/corrected-recording.ts';
import type { PerfOptions, Scope } from '#core/contract/schemas.ts';
import { gradeShares } from '#core/model/quality-grade.ts';

const options: PerfOptions = {
  collector: 'perf',
  scope: { kind: 'pid', pid: 42, startTicks: '7' },
  rateHz: 99,
  event: null,
  callGraph: 'fp',
  seconds: null,
};
const WHOLE = { unresolved: 0, unrooted: 0, truncated: 0, lost: 0 };
const corrected = (changes: Partial<PerfOptions>, shares: Partial<typeof WHOLE>) =>
  correctedRecording({
    options: { ...options, ...changes },
    quality: gradeShares({ ...WHOLE, ...shares }),
    durationMs: 9400,
    diagnostics: [],
  });

test('suggests DWARF for stacks without callers, then larger stack copies', () => {
  expect(corrected({}, { unrooted: 0.9 })).toMatchObject({
    label: 'Record again with DWARF',
    options: { callGraph: 'dwarf', seconds: 10 },
  });
  expect(corrected({ callGraph: 'dwarf' }, { unrooted: 0.9 })?.options.stackBytes).toBe(65_528);
  expect(corrected({ callGraph: 'dwarf', stackBytes: 65_528 }, { unrooted: 0.9 })).toBeNull();
});

test('does not suggest larger stacks for Python whose code can’t be unwound, and the size that its interpreter needs', () => {
  const scope: Scope = { kind: 'command', argv: ['python3', '-X', 'perf', 'app.py'] };
  const dwarf = { callGraph: 'dwarf', stackBytes: 16_384 } as const;
  expect(corrected({ ...dwarf, scope }, { unrooted: 0.9 })).toBeNull();
  expect(corrected({ callGraph: 'fp', scope }, { unrooted: 0.9 })?.options).toMatchObject(dwarf);
});

test('suggests half the rate for a capture that lost samples', () => {
  expect(corrected({}, { lost: 0.2 })?.options.rateHz).toBe(49);
});

test('suggests the whole system for a process whose CPU time was missed, and nothing for a command', () => {
  const diagnostics = [
    { code: CPU_TIME_MISSED, severity: 'warning', message: '', count: 1, first: null, remedy: null } as const,
  ];
  const quality = gradeShares({ ...WHOLE, unrooted: 0.9, lost: 0.9 });
  expect(correctedRecording({ options, quality, durationMs: 9400, diagnostics })).toEqual({
    label: 'Record the whole system',
    options: { ...options, scope: { kind: 'system' }, seconds: 10 },
  });
  const command: PerfOptions = { ...options, scope: { kind: 'command', argv: ['app'] } };
  expect(correctedRecording({ options: command, quality, durationMs: 9400, diagnostics })).toBeNull();
});

test('suggests nothing for a good capture, and for one that options can’t improve', () => {
  expect(corrected({}, {})).toBeNull();
  expect(corrected({}, { unresolved: 0.9, truncated: 0.9 })).toBeNull();
  expect(
    correctedRecording({ durationMs: 1, diagnostics: [], quality: gradeShares({ ...WHOLE, unrooted: 1 }) }),
  ).toBeNull();
});

test('suggests the same on the command line', () => {
  expect(recordArgv(corrected({}, { unrooted: 0.9 })!.options, 'local')).toEqual(
    'flamebench record perf --rate 99 --call-graph dwarf --seconds 10 --pid 42'.split(' '),
  );
  const command: PerfOptions = {
    ...options,
    event: 'cycles',
    scope: { kind: 'command', argv: ['./a', '-x'], cwd: '/srv', env: ['A=1', 'B='] },
  };
  expect(recordArgv({ ...command, stackBytes: 65_528, asRoot: true }, 'ssh://web1')).toEqual(
    'flamebench record perf --target ssh://web1 --rate 99 --event cycles --call-graph fp --stack-bytes 65528 --sudo --cwd /srv --env A=1 --env B= -- ./a -x'.split(
      ' ',
    ),
  );
});
