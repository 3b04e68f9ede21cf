import { expect, test } from 'vitest';
import { isPreparedPython, perfSupport } from '#core/contract/python-launch.ts';

const prepared = (line: string, env?: string[]) =>
  isPreparedPython({ kind: 'command', argv: line.split(' '), ...(env === undefined ? {} : { env }) });

test.each([
  ['python3 -X perf app.py', true],
  ['/usr/bin/python3.13 -u -X perf_jit -m app', true],
  ['python -Xperf app.py', true],
  ['python3 -uX perf app.py', true],
  ['python3 -W ignore -X dev -X perf app.py', true],
  ['python3 app.py -X perf', false],
  ['python3 -m app -X perf', false],
  ['python3 -X dev app.py', false],
  ['python3 -X', false],
  ['python3', false],
  ['pythonic -X perf', null],
  ['node -X perf', null],
])('%s is prepared for perf: %j', (line, expected) => {
  expect(prepared(line)).toBe(expected);
});

test('the environment prepares Python, too', () => {
  expect(prepared('python3 app.py', ['PYTHONPERFSUPPORT=1'])).toBe(true);
  expect(prepared('python3 app.py', ['PYTHONPERFSUPPORT='])).toBe(false);
  expect(isPreparedPython({ kind: 'system' })).toBeNull();
});

test.each([
  ['python3 -X perf_jit app.py', [], 'perf_jit'],
  ['python3 -X perf app.py', [], 'perf'],
  ['python3 app.py', ['PYTHON_PERF_JIT_SUPPORT=1'], 'perf_jit'],
  ['python3 app.py', ['PYTHONPERFSUPPORT=1'], 'perf'],
  ['python3 app.py', [], 'none'],
  ['node app.js', [], null],
] as const)('%s with %j is prepared by %s', (line, env, expected) => {
  expect(perfSupport({ kind: 'command', argv: line.split(' '), env: [...env] })).toBe(expected);
});
