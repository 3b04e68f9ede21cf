import { describe, expect, it } from 'vitest';
import { RECIPE_IDS } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import { stapOptionsSchema, type StapOptions } from '#core/contract/stap.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { planStap } from '#collectors/stap/plan.ts';
import { isQuotable, stapScript } from '#collectors/stap/script.ts';
import { parseKernelRelease, parseTargetPath } from '#collectors/target/target-words.ts';
import { byteSource } from '../../support/byte-source.ts';

const what = (recipe: keyof typeof RECIPES): StapOptions['what'] => ({
  kind: 'recipe',
  recipe,
  rateHz: 499,
  stacks: 'both',
  function: 'render',
});
const options = (change: object = {}): StapOptions =>
  stapOptionsSchema.parse({
    collector: 'stap',
    scope: { kind: 'pid', pid: 7, startTicks: null },
    what: what('off-cpu'),
    seconds: null,
    ...change,
  });
const facts = {
  stapPath: '/usr/bin/stap',
  staprunPath: '/usr/bin/staprun',
  version: '4.8',
  release: parseKernelRelease('6.1.0-49-amd64'),
  hidesSymbols: false,
  binary: parseTargetPath('/srv/app'),
  binaries: ['/srv/app', '/lib/libc.so.6'].map((path) => parseTargetPath(path)!),
  build: null,
  sudo: null,
};

describe('the script of each recipe', () => {
  it.each(RECIPE_IDS)('%s contains no placeholder of its template', (id) => {
    const text = stapScript(what(id), '/srv/app');
    expect(text).not.toMatch(/RECORD|RATE_HZ|KERNEL|USER|BINARY|FUNCTION|THREADS|NAMES|DEPTH|PRINT_IF_DUE|\/\//);
  });

  it.each(['/srv/DEPTH/FUNCTION NAMES', "/srv/it's //x"])('keeps the path %j', (path) => {
    expect(stapScript(what('latency'), path)).toContain(`process("${path}").function("render")`);
  });

  it.each(['THREADS', 'a$$b', 'DEPTH'])('keeps the function %s', (name) => {
    const text = stapScript({ ...what('latency'), function: name } as StapOptions['what'], '/srv/app');
    expect(text).toContain(`process("/srv/app").function("${name}")`);
  });

  it.each(RECIPE_IDS)('%s describes its rows in the first line, which the importer reads', async (id) => {
    const { keys, valueType } = RECIPES[id];
    const [, header = ''] = /printf\("(# flamebench .*?)%s\\n"/.exec(stapScript(what(id), '/srv/app')) ?? [];
    const rows = `kernel\nuser\n${id === 'lua' ? 'lua\n\n' : ''}row 3 ${keys.map(() => '7').join(' ')} work\n`;
    const profile = await importProfile(byteSource(`${header}stap_x_1\n${rows}`), { format: 'stap' });
    expect(profile.valueTypes[0]).toMatchObject(valueType);
    expect([...profile.samples.weights[0]!]).toEqual([3]);
    expect(profile.threads.pid[0]).toBe(7);
  });

  it.each(RECIPE_IDS)('%s prints and clears its rows each second, and ends with its reader', (id) => {
    const text = stapScript(what(id), '/srv/app');
    expect(text).toMatch(/if \(due\) \{ due = 0; print_rows\(\) \}/);
    expect(text).toContain('delete rows');
    expect(text).toContain('task_pid(reader) != reader_pid');
    expect(text).toContain('probe process.end {\n  if (pid() == target()) exit()');
  });

  it('runs a script of the user unchanged', () => {
    expect(stapScript({ kind: 'script', text: 'probe begin { exit() }' }, null)).toBe('probe begin { exit() }');
  });
});

describe('the plan', () => {
  const commands = (change: object = {}): (readonly string[])[] =>
    planStap(facts, options(change)).steps.map((step) => (step.kind === 'command' ? step.argv : []));

  it('compiles with the symbols of the mapped binaries, and loads the module for the process', () => {
    const [compile, load] = commands();
    expect(compile).toEqual(expect.arrayContaining(['-p4', '-d', '/srv/app', '/lib/libc.so.6', 'kernel']));
    expect(load).toEqual(['/usr/bin/staprun', '-R', '-x', '7', '$module']);
  });

  it('never uses guru mode, and keeps the limit of overhead', () => {
    const all = [commands(), commands({ what: { kind: 'script', text: 'probe begin { exit() }' } })].flat(2);
    expect(all).not.toContain('-g');
    expect(all.join(' ')).not.toContain('STP_NO_OVERLOAD');
  });

  it('mends a copy of the runtime only when asked, and leaves out a vmlinux without symbols', () => {
    expect(commands()).toHaveLength(2);
    const [mend, compile] = commands({ mend: true });
    expect(mend).toEqual(['/bin/sh', '-c', expect.any(String), 'flamebench', '/usr/bin/stap', '6.1.0-49-amd64']);
    expect(compile).toEqual(expect.arrayContaining(['-R', '$runtime']));
    const [bare] = planStap({ ...facts, hidesSymbols: true }, options()).steps;
    expect(bare).toMatchObject({
      argv: expect.arrayContaining(['SYSTEMTAP_DEBUGINFO_PATH=+:.debug:/usr/lib/debug']) as string[],
    });
  });

  it('ignores warnings of the headers only from 6.12 on, because SystemTap learns from them what an older kernel lacks', () => {
    const ignores = (release: string): boolean => {
      const steps = planStap({ ...facts, release: parseKernelRelease(release) }, options({ mend: true })).steps;
      return JSON.stringify(steps).includes('KCFLAGS=-w');
    };
    expect(['6.1.0-56-amd64', '6.2.1', '6.11.0', '5.10.0-12-amd64'].filter(ignores)).toEqual([]);
    expect(['6.12.48+deb13-amd64', '6.20.0', '7.0.1', '10.1.0'].filter((release) => !ignores(release))).toEqual([]);
  });

  it('leaves out the kernel’s symbols for user stacks', () => {
    expect(commands({ what: what('page-faults') })[0]).not.toContain('kernel');
  });
});

describe('options', () => {
  it.each(['a b', 'f { system("id") }', 'f"', '*', '', 'a\nb', '-e'])('refuse %j as a function', (name) => {
    const given = { ...options(), what: { ...what('latency'), function: name } };
    expect(stapOptionsSchema.safeParse(given).success).toBe(false);
  });

  it.each(['/srv/a"b', '/srv/a*', '/srv/{a}', 'app', '/srv/$x'])('%j can’t be the path of a probe', (path) => {
    expect(isQuotable(path)).toBe(false);
  });
});
