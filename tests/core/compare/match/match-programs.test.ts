import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import { matchFunctions } from '#core/compare/match/match-functions.ts';
import { EXECUTABLE } from '#core/compare/match/match-programs.ts';
import { DEFAULT_MATCH_RULES, type MatchRules } from '#core/compare/match/match-rules.ts';
import { capturePrograms, programName, type ProgramFacts } from '#core/compare/match/recorded-program.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { FunctionKind } from '#core/model/profile.ts';
import { splitFrame } from '../../analyze/framed-samples.ts';
import { captureOf, compareRaw } from '../captures.ts';

interface Recorded extends Pick<ProgramFacts, 'facts'> {
  /** Frames `module!name`, root first. The name `?` is unresolved. */
  readonly stacks: readonly string[];
  readonly comm?: string;
  readonly executable?: string;
  readonly command?: string;
}

function profileOf({ stacks, comm = '', executable, command }: Recorded) {
  const builder = new ProfileBuilder(1);
  for (const line of stacks) {
    const [frames, thread = comm] = line.split(' @');
    let stack = NO_STACK;
    for (const frame of frames!.split(';')) {
      const { name, module } = splitFrame(frame);
      const isUnnamed = name === '?';
      const func = builder.function({
        name: isUnnamed ? `[${module.slice(module.lastIndexOf('/') + 1)}]` : name,
        module,
        kind: isUnnamed ? FunctionKind.unresolved : FunctionKind.user,
      });
      stack = builder.stack(stack, builder.frame({ func }));
    }
    builder.sample({ stack, thread: builder.thread(1, 1, thread) }, 1);
  }
  return builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], {
    format: 'made',
    ...(executable === undefined ? {} : { executable }),
    ...(command === undefined ? {} : { command }),
  });
}

const capture = (recorded: Recorded): ProgramFacts => ({
  view: buildStackView(profileOf(recorded)),
  ...(recorded.facts === undefined ? {} : { facts: recorded.facts }),
});

const programs = (recorded: Recorded) => capturePrograms(capture(recorded));

async function match(
  before: Recorded | readonly Recorded[],
  after: Recorded | readonly Recorded[],
  rules: Partial<MatchRules> = {},
) {
  const captures = [before, after].map((side) => [side].flat().map((one) => capture(one)));
  const found = await matchFunctions(captures[0]!, captures[1]!, { ...DEFAULT_MATCH_RULES, ...rules }, patternsHere);
  const names = Array.from({ length: found.table.functions.length }, (_, func) => {
    const { name, module } = functionRef(found.table, func);
    return `${module}!${name}`;
  });
  return { ...found, names };
}

test.each([
  ['server-1.2', 'server'],
  ['/opt/server-1.2.3/bin/server', 'server'],
  ['server_v2.0-rc1', 'server'],
  ['/srv/server-1.2 (deleted)', 'server'],
  ['/nix/store/0c5h-server-1.2/bin/.server-wrapped', 'server'],
  ['/x/bazel-out/k8-fastbuild/bin/app/server', 'server'],
  ['server-3f9c2a1', 'server'],
  ['server-20261123', 'server'],
  ['server-1.2-linux-amd64', 'server'],
  ['python3.11', 'python3'],
  ['C:\\app\\server-2.exe', 'server'],
  ['bzip2', 'bzip2'],
  ['server-old', 'server-old'],
  ['1.2', '1.2'],
  ['', ''],
])('the program of %s is %s', (path, name) => expect(programName(path)).toBe(name));

test('takes no time for a long name', () => {
  const long = `a${'-1.1'.repeat(50_000)}x`;
  expect(programName(long)).toBe(long);
});

describe('the recorded program', () => {
  const stacks = ['/a/server!main', '/a/server!main;/lib/libc.so.6!read'];

  test('is that of the document', () => {
    expect(programs({ stacks, facts: { program: './server' } }).recorded).toEqual(['/a/server']);
    expect(programs({ stacks: ['/a/server-1.2!main'], facts: { program: 'server' } }).recorded).toEqual([
      '/a/server-1.2',
    ]);
    expect(programs({ stacks, facts: { program: 'other' } }).recorded).toEqual([]);
  });

  test('is the one that the file states', () => {
    expect(programs({ stacks, executable: '/a/server' }).recorded).toEqual(['/a/server']);
    expect(programs({ stacks, facts: { program: '/a/other' }, executable: '/a/server' }).recorded).toEqual([
      '/a/server',
    ]);
  });

  test('is the one after which its threads are named, even if the name is truncated', () => {
    expect(programs({ stacks, comm: 'server' }).recorded).toEqual(['/a/server']);
    expect(programs({ stacks: ['/a/page-server-experimental!main'], comm: 'page-server-exp' }).recorded).toEqual([
      '/a/page-server-experimental',
    ]);
    expect(programs({ stacks: ['/a/server-1.2!main'], comm: 'server' }).recorded).toEqual(['/a/server-1.2']);
    expect(programs({ stacks, comm: 'worker' }).recorded).toEqual([]);
    expect(programs({ stacks: ['[kernel.kallsyms]!read'], comm: '[kernel.kallsyms]' }).recorded).toEqual([]);
  });

  test('is not the shell that starts it', () => {
    const started = [...Array.from({ length: 200 }, () => '/a/server!main @server'), '/bin/dash!? @sh'];
    expect(programs({ stacks: started, facts: { program: 'sh' } }).recorded).toEqual(['/a/server']);
  });

  test('is unknown if several programs were recorded', () => {
    const several = ['/a/server!main @server', '/a/client!main @client'];
    expect(programs({ stacks: several })).toEqual({ recorded: [], executables: ['/a/server', '/a/client'] });
    expect(programs({ stacks, comm: 'server', facts: { isSystemWide: true } }).recorded).toEqual([]);
    expect(programs({ stacks, comm: 'server', command: 'perf record -a -g' }).recorded).toEqual([]);
  });
});

describe('two builds of one program', () => {
  const before: Recorded = {
    stacks: ['/x/server-old!main;/x/server-old!parse', '/x/server-old!main;/x/server-old!old', '/lib/libc.so.6!read'],
    comm: 'server-old',
  };
  const after: Recorded = {
    stacks: ['/x/server-new!main;/x/server-new!parse', '/x/server-new!main;/x/server-new!fresh', '/lib/libc.so.6!read'],
    comm: 'server-new',
  };

  test('are one module', async () => {
    const found = await match(before, after);
    expect([...found.names].sort()).toEqual([
      '/lib/libc.so.6!read',
      '/x/server-new!fresh',
      '/x/server-old!old',
      'server-old → server-new!main',
      'server-old → server-new!parse',
    ]);
    expect(found.merges.map(({ rule, merges }) => [rule, merges.length])).toEqual([
      ['module-paths', 2],
      [EXECUTABLE, 2],
    ]);
    expect(found.programs).toEqual([{ before: 'server-old', after: 'server-new', common: 0.5, isMerged: true }]);
    expect([found.onlyBefore.length, found.onlyAfter.length]).toEqual([1, 1]);
  });

  test('are two if the rule is off', async () => {
    const found = await match(before, after, { off: [EXECUTABLE] });
    expect([found.onlyBefore.length, found.onlyAfter.length, found.programs]).toEqual([3, 3, []]);
  });

  test('are one in all captures of a side, whose versions may differ', async () => {
    const versions = ['1.1', '1.2'].map((version) => ({
      stacks: [`/x/server-${version}!main;/x/server-${version}!parse`],
      comm: `server-${version}`,
    }));
    const found = await match(versions, { stacks: ['/x/server-2.0!main;/x/server-2.0!parse'], comm: 'server-2.0' });
    expect(found.names).toEqual(['server!main', 'server!parse']);
  });

  test('share code without symbols', async () => {
    const found = await match(
      { ...before, stacks: [...before.stacks, '/x/server-old!?'] },
      { ...after, stacks: [...after.stacks, '/x/server-new!?'] },
    );
    expect(found.names).toContain('server-old → server-new![server-old → server-new]');
  });

  test('are not merged if a side has several programs', async () => {
    const several = { ...after, stacks: [...after.stacks, '/x/helper!main @helper'] };
    expect((await match(before, several)).programs).toEqual([]);
  });

  test('are not merged if the other side has the module, too', async () => {
    const both = { ...after, facts: { program: 'server-new' }, stacks: [...after.stacks, '/x/server-old!parse'] };
    expect((await match(before, both)).programs).toEqual([]);
  });

  test('match by their names without versions if recorded system-wide', async () => {
    const facts = { isSystemWide: true } as const;
    const system = (version: string): Recorded => ({
      stacks: [`/x/server-${version}!main;/x/server-${version}!parse @server-${version}`, '/x/sshd!main @sshd'],
      facts,
    });
    expect((await match(system('1.2'), system('1.3'))).names).toEqual(['server!main', 'server!parse', '/x/sshd!main']);
    expect((await match({ ...before, facts }, { ...after, facts })).programs).toEqual([]);
  });
});

describe('two programs', () => {
  const names = (module: string, prefix: string): string[] =>
    ['main', 'parse', ...Array.from({ length: 9 }, (_, place) => `${prefix}${place}`)].map(
      (name) => `/x/${module}!_start;/x/${module}!${name}`,
    );
  const web: Recorded = { stacks: names('web', 'serve'), comm: 'web' };
  const batch: Recorded = { stacks: names('batch', 'job'), comm: 'batch' };

  test('are not merged automatically with less than 20 % of their names in common', async () => {
    const found = await match(web, batch);
    expect(found.programs).toEqual([{ before: 'web', after: 'batch', common: 0.1, isMerged: false }]);
    expect(found.merges).toEqual([]);
    const asked = await match(web, batch, { sameProgram: true });
    expect(asked.programs[0]!.isMerged).toBe(true);
    expect(asked.names).toContain('web → batch!parse');
  });

  test('are not one if they share only an entry point', async () => {
    const tiny: Recorded = { stacks: ['/x/tiny!main'], comm: 'tiny' };
    expect((await match(tiny, batch)).programs[0]!.isMerged).toBe(false);
    expect((await match(tiny, { stacks: ['/x/tiny2!main'], comm: 'tiny2' })).programs[0]!.isMerged).toBe(true);
  });

  test('have nothing in common without any name', async () => {
    const stripped = (name: string): Recorded => ({ stacks: [`/x/${name}!?`], comm: name });
    expect((await match(stripped('a'), stripped('b'))).programs).toEqual([
      { before: 'a', after: 'b', common: 0, isMerged: false },
    ]);
  });

  test('lead with a warning that names the rule that would match most', async () => {
    const sides = [web, batch].map((side) => [captureOf(profileOf(side))]) as [never, never];
    const found = await compareRaw(...sides);
    expect(found.warnings.slice(0, 2)).toMatchObject([
      { code: 'mostly-unmatched', rule: 'same-program' },
      { code: 'different-programs', rule: 'same-program' },
    ]);
    expect(found.warnings[0]!.message).toMatch(
      /^100 % of the weight .* “The same program” \(--same-program\), which leaves 82 %\.$/,
    );
    const off = await compareRaw(...sides, 'raw', { ...DEFAULT_MATCH_RULES, sameProgram: true, off: ['executable'] });
    expect(off.warnings[0]).toMatchObject({ code: 'mostly-unmatched', rule: 'executable' });
    const same = await compareRaw(sides[0], sides[0]);
    expect(same.warnings.map(({ code }) => code)).not.toContain('mostly-unmatched');
  });
});
