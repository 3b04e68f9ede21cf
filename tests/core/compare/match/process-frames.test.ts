import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { DEFAULT_MATCH_RULES } from '#core/compare/match/match-rules.ts';
import { PROCESS_FRAMES, setProcessFramesAside } from '#core/compare/match/process-frames.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { foldedText } from '../../../support/folded-lines.ts';
import { readPerfScript } from '../../../support/perf-script-text.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../captures.ts';

const perf = (comm: string, ...stacks: string[]): Profile =>
  readPerfScript(
    stacks
      .map((stack, place) => {
        const frames = stack.split(';').reverse();
        const lines = frames.map((name) => `\t            1139 ${name} (/opt/app/${comm})\n`);
        return `${comm} 7/7 ${place + 1}.000000: 1 cycles: \n${lines.join('')}\n`;
      })
      .join(''),
  );

const names = ({ matched: { table, onlyBefore, onlyAfter } }: Comparison) =>
  [onlyBefore, onlyAfter].map((only) => only.map((func) => functionRef(table, func).name));

const noted = ({ warnings }: Comparison): string[] =>
  warnings.filter(({ code }) => code === PROCESS_FRAMES).map(({ message }) => message);

const compare = (before: Profile, after: Profile, off: readonly string[] = []) =>
  compareRaw([captureOf(before)], [captureOf(after)], 'share', { ...DEFAULT_MATCH_RULES, off });

describe('the process in folded stacks', () => {
  const folded = profileFromText('nginx;main;parse 3\nnginx;main 1');
  const script = perf('nginx', 'main;parse', 'main;parse', 'main;parse', 'main');

  test('is removed next to a format that stores it as metadata, on either side', async () => {
    for (const [before, after, side] of [
      [folded, script, 'before'],
      [script, folded, 'after'],
    ] as const) {
      const found = await compare(before, after);
      expect(names(found)).toEqual([[], []]);
      expect(found.total.map(({ delta }) => delta)).toEqual([0, 0]);
      expect(noted(found)).toEqual([
        `Stacks of the ${side} side begin with the process or thread (nginx): this frame is ignored, because the other captures do not have it or name it differently.`,
      ]);
    }
  });

  test('is a false mover if the rule is off', async () => {
    expect(names(await compare(folded, script, [PROCESS_FRAMES]))).toEqual([['nginx'], []]);
  });

  test('may have numbers, several threads, and spaces', async () => {
    const ids = profileFromText('nginx-7/8;main;parse 3\nnginx-?/9;main 1\nperf-exec;x 1');
    expect(names(await compare(ids, script))).toEqual([['x'], []]);
    const threads = profileFromText('IPC_Server;main 1');
    expect(noted(await compare(threads, perf('IPC Server', 'main')))).toHaveLength(1);
  });

  test('has the name of its program if a format has no threads, such as pprof', async () => {
    const { strings, functions, ...others } = perf('server', 'main;parse');
    const bare: Profile = {
      ...others,
      strings,
      functions,
      threads: { ...others.threads, name: new Int32Array(others.threads.length) },
    };
    expect(names(await compare(profileFromText('server;main;parse 1'), bare))).toEqual([[], []]);
  });

  test('stays if both sides have the same one', async () => {
    const found = await compare(profileFromText('nginx;_start;main 1'), profileFromText('nginx;_start;main 2'));
    expect([noted(found), found.self.length]).toEqual([[], 3]);
  });

  test('is removed on both sides if they differ', async () => {
    const [before, after] = ['old', 'new'].map((comm) => profileFromText(`${comm};_start;main 1\n${comm};other 1`));
    const found = await compare(before!, after!);
    expect(names(found)).toEqual([[], []]);
    expect(noted(found)[0]).toMatch(/^Stacks of both sides begin with the process or thread \(old, new\)/);
  });

  test('is distinguished from functions', async () => {
    // The root is a function on the other side, is also called, or does not match any process name.
    for (const [text, comm] of [
      ['main;parse 1', 'main'],
      ['nginx;main;nginx 1', 'nginx'],
      ['run;main;parse 1', 'nginx'],
    ] as const) {
      const profile = profileFromText(text);
      expect(noted(await compare(profile, perf(comm, 'main;parse')))).toEqual([]);
    }
  });

  test('leaves a complete profile, in which samples without another frame have no stack', () => {
    const only = captureOf(profileFromText('nginx 2\nnginx;main 1\nnginx-9;main 4'));
    const { before } = setProcessFramesAside({ before: [only], after: [captureOf(script)] });
    const { profile } = before[0]!;
    checkProfile(profile);
    expect(profile.stacks.length).toBe(1);
    expect([...profile.samples.stack].sort((a, b) => a - b)).toEqual([-1, 0, 0]);
    expect(profile.samples.weights).toEqual(only.profile.samples.weights);
  });

  test("agrees with the capture for a real capture's folded text", async () => {
    const url = new URL(
      '../../../../samples/profiles/perf-script/page-server-before-1/raw.perf-script.txt.gz',
      import.meta.url,
    );
    const original = readPerfScript(gunzipSync(readFileSync(url)));
    const found = await compare(profileFromText(foldedText(original)), original);
    expect(found.total.every(({ delta }) => Math.abs(delta) < 1e-12)).toBe(true);
    expect(names(found)).toEqual([[], []]);
  });
});
