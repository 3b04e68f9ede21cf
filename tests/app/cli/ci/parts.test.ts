import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { gateConfigSchema, parseGateConfig } from '#app/cli/ci/config.ts';
import { stateText, type GateRun } from '#app/cli/ci/gate-state.ts';
import { changeOf, hunksOf } from '#app/cli/ci/repository.ts';
import { runsIn, secretVariables } from '#app/cli/ci/sides.ts';

const DOCS = join(import.meta.dirname, '../../../../docs/ci');

describe('flamebench.yml', () => {
  test('has benchmarks, rules and owners', () => {
    const config = parseGateConfig(
      "build: make\nbenchmarks:\n  - command: [./bench, '--fast']\n  - name: b\n    command: ./bench\n    failOn: ['self(^a$) > +5%']\npairs: 6\nowners: [{functions: ^a, owner: '@team'}]\n",
      'flamebench.yml',
    );
    expect(config.benchmarks?.map(({ command }) => command)).toEqual([['./bench', '--fast'], './bench']);
    expect(config.owners).toEqual([{ functions: '^a', owner: '@team' }]);
    expect(parseGateConfig('', 'x')).toEqual({});
    expect(parseGateConfig('{"pairs": 6}', 'x')).toEqual({ pairs: 6 });
  });

  test.each([
    ['a: [', 'flamebench.yml:2: not YAML'],
    ['pairs: many', 'flamebench.yml: pairs: '],
    ['unknown: 1', 'flamebench.yml: Unrecognized key'],
    ['__proto__: {pairs: 6}', 'flamebench.yml: Unrecognized key'],
    ['benchmarks: []', 'flamebench.yml: benchmarks: '],
    ['build: !!js/function "function () {}"', 'flamebench.yml:1: not YAML'],
    ['a: &a [x,x]\nb: &b [*a,*a]\nbenchmarks: *b', 'flamebench.yml'],
  ])('refuses %j with its place', (content, message) => {
    expect(() => parseGateConfig(content, 'flamebench.yml')).toThrow(message);
  });

  test('may have 64 KiB', () => {
    const long = `build: ${'x'.repeat(70_000)}`;
    expect(() => parseGateConfig(long, 'flamebench.yml')).toThrow('flamebench.yml has more than 65536 characters');
  });

  test('has the schema for editors that docs/ci contains', () => {
    const schema = JSON.parse(readFileSync(join(DOCS, 'flamebench.schema.json'), 'utf8')) as object;
    expect(schema).toEqual(z.toJSONSchema(gateConfigSchema));
  });
});

const DIFF = `diff --git src/a.c src/a.c
index 1..2 100644
--- src/a.c
+++ src/a.c
@@ -3,2 +4,3 @@ int parse_line(char *text) {
-  old;
+++ counter;
+  next;
@@ -40 +42,0 @@ int other(void)
-  call(sum);
diff --git gone.c gone.c
deleted file mode 100644
--- gone.c
+++ /dev/null
@@ -1 +0,0 @@
-int vanished(void);
`;

test('finds the changed lines that name a function', () => {
  const hunks = hunksOf(DIFF);
  expect(hunks.map(({ file, line }) => [file, line])).toEqual([
    ['src/a.c', 4],
    ['src/a.c', 42],
  ]);
  expect(hunks[0]!.text).toContain('++ counter;');
  expect(changeOf('parse_line', hunks)).toMatchObject({ file: 'src/a.c', line: 4 });
  for (const name of ['ns::Math::sum(int)', '<ns::Math as Adds>::sum', 'sum<int>(int)'])
    expect(changeOf(name, hunks), name).toMatchObject({ line: 42 });
  for (const name of ['parse', 'line', '', '(anonymous)', '.*']) expect(changeOf(name, hunks), name).toBeNull();
});

test('builds and benchmarks get no secrets', () => {
  const env = { PATH: '/bin', GITHUB_TOKEN: 'x1', AWS_SECRET_ACCESS_KEY: 'x2', EMPTY_TOKEN: '', HOME: '/root' };
  expect(secretVariables(env)).toEqual(['GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY']);
  expect(runsIn('/a b', ['./x', '$y'], env).slice(0, 6)).toEqual([
    'env',
    '-u',
    'GITHUB_TOKEN',
    '-u',
    'AWS_SECRET_ACCESS_KEY',
    'sh',
  ]);
  expect(runsIn('/a b', ['./x', '$y'], {}).slice(-3)).toEqual(['/a b', './x', '$y']);
});

test('states how often the gate was wrong about a program against itself', () => {
  const run = (decision: GateRun['decision'], isSelfTest = true): GateRun => ({
    at: 0,
    benchmark: 'b',
    isSelfTest,
    decision,
    pairs: 10,
    splits: 0,
    falseAlarms: 0,
  });
  expect(stateText([run('failed', false)])).toBeNull();
  expect(stateText([run('failed'), run('passed'), run('inconclusive'), run('failed', false)])).toBe(
    'of 3 gates of a program against itself on runners like this one, 1 failed and 1 was inconclusive',
  );
});
