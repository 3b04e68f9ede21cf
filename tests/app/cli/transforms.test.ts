import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../../support/call-cli.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

/** Two threads, with `libm.so` and `/opt/app`. */
const SCRIPT = [
  ...['a', 'b'].map((thread, index) =>
    [
      `${thread} 10/${11 + index} [000] 1.00000${index}: ${index + 1}000 cycles: `,
      '\t 10 sin+0x1 (/lib/libm.so)',
      '\t 20 cos+0x1 (/lib/libm.so)',
      '\t 30 work.1+0x1 (/opt/app)',
      '\t 40 main+0x1 (/opt/app)',
      '',
    ].join('\n'),
  ),
  'a 10/11 [000] 1.000003: 4000 cycles: \n\t 30 idle.2+0x1 (/opt/app)\n\t 40 main+0x1 (/opt/app)\n',
].join('\n');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flamebench-transforms-'));
  writeFileSync(file('small.folded'), 'main;work;spin 70\nmain;work;idle 20\nmain;idle 10\n');
  writeFileSync(file('app.perf.txt'), `${SCRIPT}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const folded = async (...args: string[]) => {
  const run = await callCli(['convert', file('app.perf.txt'), '--to', 'folded', ...args]);
  return { ...run, lines: run.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('# ')) };
};

describe('the effect of transforms', () => {
  test('is reported on stderr, in the order given', async () => {
    const { stderr } = await folded('--hide', '^idle', '--rename', 's/sin/SIN/', '--collapse-module', '*');
    expect(stderr.split('\n')).toEqual([
      'flamebench: hide stacks with: /^idle/: 1 function, hid 4,000 (57.1 %)',
      'flamebench: rename: /sin/ → SIN: 1 function, hid nothing',
      'flamebench: collapse every module: 4 functions, hid nothing',
      expect.stringMatching(/^flamebench: folded can’t store: all value types but one; .*modules; kinds of code$/),
      '',
    ]);
  });

  test('is named in every output, with the same numbers', async () => {
    const args = ['--hide', '^idle', '--rename', 's/cos/COS/'];
    const json = JSON.parse((await callCli(['top', file('app.perf.txt'), '--json', ...args])).stdout) as {
      total: number;
      hidden: number;
      transforms: { description: string; transform: unknown; found: number; hidden: number }[];
      functions: unknown[];
    };
    expect(json).toMatchObject({ total: 3000, hidden: 4000 });
    expect(json.transforms).toMatchObject([
      { description: 'hide stacks with: /^idle/', found: 1, hidden: 4000 },
      { description: 'rename: /cos/ → COS', found: 1, hidden: 0 },
    ]);
    const kept = json.transforms.map(({ transform }) => transform);
    writeFileSync(file('rules.json'), JSON.stringify(kept));
    for (const format of ['native', 'json', 'folded']) {
      const output = file(`seen.${format}`);
      const run = await callCli([
        'convert',
        file('app.perf.txt'),
        '--to',
        format,
        '-o',
        output,
        '--transforms',
        file('rules.json'),
      ]);
      expect(run.code).toBe(0);
      if (format === 'json') {
        const document = JSON.parse(readFileSync(output, 'utf8')) as { metadata: { comments: string[] } };
        expect(document.metadata.comments).toContain('transform 2: rename: /cos/ → COS (1 function, hid 0 count)');
        continue;
      }
      const again = JSON.parse((await callCli(['top', output, '--json'])).stdout) as typeof json;
      expect(again.total).toBe(3000);
      if (format === 'native') expect(again.functions).toEqual(json.functions);
    }
  });

  test('is that they hide the whole selection if nothing is left', async () => {
    const { code, stderr } = await folded('--thread', '12', '--focus', 'idle');
    expect(code).toBe(0);
    expect(stderr).toContain('flamebench: the transforms hide the whole selection\n');
    expect(stderr).not.toContain('weight');
  });

  test('folded text is unchanged without transforms', async () => {
    expect((await folded()).stdout).not.toContain('#');
  });
});

describe('refusals', () => {
  test.each([
    [['--merge', 'a('], /^flamebench: --merge: not a regular expression: Unterminated group: a\(\n$/],
    [['--only', 'nowhere'], /^flamebench: --only nowhere matches no function; check its spelling and case\n$/],
    [
      ['--hide', 'idle', '--focus', 'idle'],
      /^flamebench: --focus idle matches no function; check its spelling and case, and what the transforms before it leave\n$/,
    ],
    [['--hide', 'module:libc'], /^flamebench: no module 'libc' in this profile; the profile names no modules\n$/],
    [['--collapse-module', 'x'], /^flamebench: no module 'x' in this profile; .*\n$/],
    [['--rename', 's/a/b'], /^flamebench: --rename s\/a\/b: not of the form .*\n$/],
    [['--rename', 's/main/main/'], /^flamebench: --rename s\/main\/main\/ changes no name; .*\n$/],
    [['--rename', 's/(/b/'], /^flamebench: --rename: not a regular expression: .*\n$/],
    [['--transforms', 'nowhere.json'], /^flamebench: can't read nowhere\.json: no such file; check the name\n$/],
    [['--transforms', '/'], /^flamebench: can't read \/: it is a folder; name a file inside it\n$/],
  ])('%j', async (args, message) => {
    const run = await callCli(['top', file('small.folded'), ...args]);
    expect(run.stderr).toMatch(message);
    expect(run).toMatchObject({ code: 2, stdout: '' });
  });

  test.each([
    ['no JSON', '{', 'is not JSON; give a JSON list of transforms, see docs/cli.md'],
    ['another document', '{"flamebench":1}', 'is not a list of transforms: '],
    ['an unknown kind', '[{"enabled":true,"kind":"__proto__"}]', 'is not a list of transforms at 0.kind: '],
    [
      'an incomplete transform',
      '[{"enabled":true,"kind":"rename","pattern":"a"}]',
      'is not a list of transforms at 0.',
    ],
    [
      'a bad pattern',
      '[{"enabled":true,"kind":"hide","on":{"by":"pattern","pattern":"(","ignoreCase":true}}]',
      'transform 1: not a regular expression',
    ],
    [
      'a slow pattern',
      '[{"enabled":true,"kind":"rename","pattern":"^(a+)+$","ignoreCase":false,"replacement":""}]',
      'transform 1 ^(a+)+$ took longer than a second',
    ],
  ])('a file with %s', async (_, text, message) => {
    writeFileSync(file('bad.json'), text);
    const run = await callCli(['top', '-', '--transforms', file('bad.json')], { stdin: `main;${'a'.repeat(40)}b 1\n` });
    expect(run.stderr).toContain(message);
    expect(run.stderr.split('\n')).toHaveLength(2);
    expect(run).toMatchObject({ code: 2, stdout: '' });
  });

  test('reports that a transform from a file matches nothing; disabled ones are skipped', async () => {
    const transforms = [
      {
        enabled: true,
        kind: 'merge',
        on: { by: 'function', func: { name: '__proto__', module: '', file: '', line: 0 } },
      },
      { enabled: false, kind: 'hide', on: { by: 'pattern', pattern: '.', ignoreCase: false } },
    ];
    writeFileSync(file('other.json'), JSON.stringify(transforms));
    const { stderr, code } = await callCli(['top', file('small.folded'), '--transforms', file('other.json')]);
    expect(stderr).toBe(
      'flamebench: merge: __proto__: no function, hid nothing\nflamebench: hide stacks with: /./: off\n',
    );
    expect(code).toBe(0);
  });
});
