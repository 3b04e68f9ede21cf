import { describe, expect, it } from 'vitest';
import { bpftraceOptionsSchema, RECIPE_IDS, type BpftraceOptions } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { bpftraceScript, isQuotable } from '#collectors/bpftrace/script.ts';
import { byteSource } from '../../support/byte-source.ts';

const IDS = RECIPE_IDS.filter((id) => id !== 'lua');
const what = (recipe: keyof typeof RECIPES): BpftraceOptions['what'] => ({
  kind: 'recipe',
  recipe,
  rateHz: 499,
  stacks: 'both',
  function: 'render',
});

describe('the script of each recipe', () => {
  it.each(IDS)('%s contains no placeholder of its template', (id) => {
    const text = bpftraceScript(what(id), '/srv/app');
    expect(text).not.toMatch(/RECORD|RATE_HZ|STACKS|BINARY|FUNCTION|\/\//);
  });

  it.each(IDS)('%s clears every map that it uses, so that bpftrace does not print it at its end', (id) => {
    const text = bpftraceScript(what(id), '/srv/app');
    const [, end = ''] = text.split('END {');
    for (const name of new Set(text.match(/@[a-z]+/g))) expect(end).toContain(`clear(${name});`);
  });

  it.each(IDS)('%s describes its rows in the first line, which the importer reads', async (id) => {
    const { keys, valueType } = RECIPES[id];
    const [, header = ''] = /printf\("(# flamebench .*?)\\n"\)/.exec(bpftraceScript(what(id), '/srv/app')) ?? [];
    const stacks = header.includes('kernel,user') ? ', , ' : ', ';
    const row = `@a[${stacks}${keys.map(() => '7, ').join('')}work]: 3`;
    const profile = await importProfile(byteSource(`Attaching 4 probes...\n${header}\n${row}\n`), {
      format: 'bpftrace',
    });
    expect(profile.valueTypes[0]).toMatchObject(valueType);
    expect([...profile.samples.weights[0]!]).toEqual([3]);
    expect(profile.threads.pid[0]).toBe(7);
  });

  it.each(['/srv/FUNCTION/RATE_HZ STACKS', "/srv/it's {exit()} //x"])('keeps the path %j', (path) => {
    expect(bpftraceScript(what('latency'), path)).toContain(`uprobe:"${path}":render `);
  });

  it.each(['a$$b', 'STACKS', 'f@abc', 'x$1'])('keeps the function %s', (name) => {
    const text = bpftraceScript({ ...what('latency'), function: name } as BpftraceOptions['what'], '/srv/app');
    expect(text).toContain(`uprobe:"/srv/app":${name} `);
    expect(text).not.toContain('clear(@abc)');
  });

  it('runs a script of the user unchanged', () => {
    expect(bpftraceScript({ kind: 'script', text: 'BEGIN { exit(); }' }, null)).toBe('BEGIN { exit(); }');
  });
});

describe('options', () => {
  const options = (change: object): unknown => ({
    collector: 'bpftrace',
    scope: { kind: 'system' },
    what: { ...what('latency'), ...change },
    seconds: null,
  });

  it('accept a symbol as a function', () => {
    expect(bpftraceOptionsSchema.safeParse(options({ function: '_ZN3app6renderEv' })).success).toBe(true);
  });

  it.each(['a b', 'f { system("id") }', 'f"', '*', '', 'a\nb', '$1', '-e'])('refuse %j as a function', (name) => {
    expect(bpftraceOptionsSchema.safeParse(options({ function: name })).success).toBe(false);
  });

  it.each(['/srv/a"b', '/srv/a\\b', '/srv/*', 'relative', '/srv/a\nb', '/srv/$1'])('refuse a probe in %j', (path) => {
    expect(isQuotable(path)).toBe(false);
  });
});
