import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { applyTransforms } from '#app/cli/input/apply-transforms.ts';
import { addTransformOptions, givenTransforms } from '#app/cli/input/transform-options.ts';
import { wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import { foldedLinesOf, readPerfScript } from '../../../support/perf-script-text.ts';

const SCRIPT = [
  'a 10/11 [000] 1.000001: 1000 cycles: ',
  '\t 10 sin+0x1 (/lib/libm.so)',
  '\t 20 cos+0x1 (/lib/libm.so)',
  '\t 30 work.1+0x1 (/opt/app)',
  '\t 40 main+0x1 (/opt/app)',
  '',
  'a 10/11 [000] 1.000003: 4000 cycles: ',
  '\t 30 idle.2+0x1 (/opt/app)',
  '\t 40 main+0x1 (/opt/app)',
  '',
  '',
].join('\n');

async function seen(...args: string[]): Promise<string[]> {
  const profile = readPerfScript(SCRIPT);
  const command = new Command().exitOverride();
  addTransformOptions(command);
  command.parse(args, { from: 'user' });
  const applied = await applyTransforms(profile, await givenTransforms(command, profile));
  return foldedLinesOf(visibleProfile(profile, { selection: wholeProfile(profile), ...applied }).profile);
}

describe('transform options', () => {
  test.each<[string[], string[]]>([
    [['--focus', '^work'], ['a;work.1;cos;sin 1000']],
    [['--hide', 'module:libm.so'], ['a;main;idle.2 4000']],
    [['--only', 'module:/lib/libm.so'], ['a;main;work.1;cos;sin 1000']],
    [
      ['--merge', 'cos|idle'],
      ['a;main 4000', 'a;main;work.1;sin 1000'],
    ],
    [['--merge', 'kind:user'], ['a 5000']],
    [['--merge', ''], ['a 5000']],
    [['--merge', 'not-kind:kernel'], ['a 5000']],
    [['--hide', 'module:libm.so', '--only', 'kind:user'], ['a;main;idle.2 4000']],
    [['--collapse-below', '^main$'], ['a;main 5000']],
    [
      ['--collapse-module', 'libm.so'],
      ['a;main;idle.2 4000', 'a;main;work.1;libm.so 1000'],
    ],
    [
      ['--collapse-module', '*'],
      ['a;app 4000', 'a;app;libm.so 1000'],
    ],
    [['--collapse', 'sin|cos=trig', '--hide', '^idle'], ['a;main;work.1;trig 1000']],
    [['--rename', 's/\\.\\d+$//', '--focus', '^work$'], ['a;work;cos;sin 1000']],
    [['--rename', 's/sin|main/f/', '--collapse-recursion', '^f$', '--hide', 'idle'], ['a;f;work.1;cos;f 1000']],
    [['--rename', 's/work.1|main/f/', '--collapse-recursion', '^f$', '--hide', 'idle'], ['a;f;cos;sin 1000']],
    [['--rename', 's/sin|cos/f/', '--collapse-direct-recursion', 'f', '--hide', 'idle'], ['a;main;work.1;f 1000']],
  ])('apply %j', async (args, lines) => {
    expect(await seen(...args)).toEqual(lines);
  });

  test('are applied in the order given, each as often as given', async () => {
    expect(await seen('--focus', 'cos', '--hide', 'main')).toEqual(['a;cos;sin 1000']);
    await expect(seen('--hide', 'main', '--focus', 'cos')).resolves.toEqual([]);
    expect(await seen('--hide', 'idle', '--hide', 'sin')).toEqual([]);
  });

  test.each([
    [['--hide', 'module:lib'], "no module 'lib' in this profile"],
    [['--collapse-module', '__proto__'], "no module '__proto__' in this profile"],
    [['--rename', 's/x/y/'], '--rename s/x/y/ changes no name'],
    [['--collapse', '(=x'], '--collapse: not a regular expression'],
  ])('refuse %j', async (args, message) => {
    await expect(seen(...args)).rejects.toThrow(message);
  });
});
