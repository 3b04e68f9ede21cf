import { createReadStream, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perfScriptImporter } from '#core/import/perf-script/perf-script.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { sourceLines } from '#core/analyze/tables/source-lines.ts';
import { buildStackView } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { planLines, resolveLines, type LinesRequest } from '#collectors/perf/resolve-lines.ts';
import { findNamedFile } from '#collectors/target/named-file.ts';
import { compileHot, recordHot } from '../../support/hot-program.ts';
import { checkPerfEnds, target } from '../../support/perf-recording.ts';
import { functionNamed } from '../../support/sketch-profile.ts';

checkPerfEnds();

const folder = mkdtempSync(join(tmpdir(), "lines 'x-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const { signal } = new AbortController();

async function readProfile(chunks: AsyncIterable<Uint8Array>): Promise<Profile> {
  const session = perfScriptImporter.start();
  for await (const chunk of chunks) session.push(chunk);
  return session.finish();
}

async function resolved(request: LinesRequest, inlined: boolean): Promise<Profile> {
  const { text } = await resolveLines(target, request, await planLines(target, request), { inlined, signal });
  return readProfile(text());
}

/** Returns self and total by name. */
function weights(profile: Profile): Map<string, readonly [number, number]> {
  const stats = functionStats(buildStackView(profile));
  return new Map(
    Array.from(stats.func, (func, row) => [
      profile.strings[profile.functions.name[func]!]!,
      [stats.self[row]!, stats.total[row]!] as const,
    ]),
  );
}

function linesOf(profile: Profile, func: FunctionIndex) {
  const view = buildStackView(profile);
  const lines = sourceLines(profile, view.selection, null, func);
  return Array.from(lines.line, (line, row) => ({
    line,
    file: profile.strings[lines.file[row]!]!,
    self: lines.self[row]!,
    total: lines.total[row]!,
  }));
}

describe('a C program with debug information', () => {
  let program = '';
  let source = '';
  let request: LinesRequest;
  let before: Profile;

  beforeAll(async () => {
    ({ program, source } = compileHot(folder));
    const { text } = recordHot(folder, program);
    request = { text: () => createReadStream(text), recordedAt: null, find: findNamedFile };
    before = await readProfile(createReadStream(text));
  });

  test('gets the lines of its frames, with unchanged weight', async () => {
    const profile = await resolved(request, false);
    expect(weights(profile)).toEqual(weights(before));
    const mix = linesOf(profile, functionNamed(profile, 'mix'));
    expect(new Set(mix.map(({ file }) => file))).toEqual(new Set([source]));
    const hot = mix.filter(({ line }) => line >= 6 && line <= 9);
    const sum = (rows: typeof mix): number => rows.reduce((all, { self }) => all + self, 0);
    expect(sum(mix)).toBe(weights(before).get('mix')![0]);
    expect(sum(hot)).toBeGreaterThan(sum(mix) * 0.9);
    // The line is that of the call, not the line after it.
    const calls = linesOf(profile, functionNamed(profile, 'main')).filter(({ total }) => total > sum(mix) * 0.5);
    expect(calls.map(({ line }) => line)).toEqual([20]);
  });

  test('lists what was resolved where, and what was not', async () => {
    const plan = await planLines(target, request);
    expect(plan.checks[0]).toMatchObject({ id: 'addr2line', status: 'ok' });
    expect(plan.checks.find(({ id }) => id === program)).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^\d+ frames: debug information$/),
    });
    expect(plan.commands.at(0)?.slice(1)).toEqual(['-a', '-f', '-i', '-e', program]);
    const { text, count } = await resolveLines(target, request, plan, { inlined: false, signal });
    await readProfile(text());
    const { frames, withLine } = count();
    expect(withLine).toBeGreaterThan(frames * 0.5);
  });

  test('has no lines of a binary that changed after the recording', async () => {
    const plan = await planLines(target, { ...request, recordedAt: 1 });
    expect(plan.checks.find(({ id }) => id === program)).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('changed after the recording'),
    });
    expect(plan.commands).toEqual([]);
  });

  test('is refused if addr2line ends early', async () => {
    const plan = await planLines(target, request);
    const broken = { ...plan, binaries: plan.binaries.map((binary) => ({ ...binary, argv: ['/bin/false'] })) };
    await expect(resolveLines(target, request, broken, { inlined: false, signal })).rejects.toThrow(
      /\/bin\/false ended with exit code 1: answered 0 of \d+ addresses/,
    );
  });
});

test('turns inlined functions into frames on request', async () => {
  const own = join(folder, 'inlined');
  const { program } = compileHot(own, '-O2', '-w', '-Dnoinline=always_inline');
  const { text } = recordHot(own, program);
  utimesSync(program, 1, 1);
  const request = { text: () => createReadStream(text), recordedAt: Date.now(), find: findNamedFile };
  const plain = await resolved(request, false);
  const profile = await resolved(request, true);
  expect(weights(plain).has('mix')).toBe(false);
  const [all] = [weights(plain).get('main')!];
  const after = weights(profile);
  expect(after.get('main')![1]).toBe(all[1]);
  expect(after.get('mix')![0]).toBeGreaterThan(all[1] * 0.5);
  const mix = functionNamed(profile, 'mix');
  expect(profile.frames.inline[profile.frames.func.indexOf(mix)]).toBe(1);
  expect(linesOf(profile, mix).some(({ line, self }) => line >= 6 && line <= 9 && self > all[1] * 0.1)).toBe(true);
});
