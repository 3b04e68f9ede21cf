import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExperimentPlan, ExperimentStatus } from '#core/contract/load/experiment.ts';
import type { LoadAnswer, LoadMethod } from '#core/contract/load/methods.ts';
import { NODE_CONSENT } from '#core/contract/node.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';

let engine: TestEngine;
const servers: Server[] = [];
beforeEach(async () => {
  engine = await startTestEngine();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function urlOfServer(): Promise<string> {
  const server = createServer((_, answer) => void answer.end('ok'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const side = (url: string) => ({ url, start: null, change: null });
const planOf = (before: string, after: string, changes: Partial<ExperimentPlan> = {}): ExperimentPlan => ({
  name: '',
  sides: { before: side(before), after: side(after) },
  server: { cwd: null, env: {}, ready: null, readySeconds: 5 },
  load: {
    tool: 'wrk',
    headers: [],
    script: null,
    concurrencies: [2],
    seconds: 1,
    warmUp: 0,
    coolDown: 0,
    threads: 1,
  },
  profile: null,
  pairs: 1,
  until: null,
  ...changes,
});

const result = async <M extends LoadMethod>(method: M, params: object): Promise<LoadAnswer<M>> =>
  (await engine.result('load', { method, params })) as LoadAnswer<M>;

async function ended(): Promise<ExperimentStatus> {
  for (;;) {
    const { status } = await result('experiment', {});
    if (status !== null && status.state !== 'running') return status;
    await sleep(100);
  }
}

describe('an experiment of the window', () => {
  test('says what will run, runs it once it is confirmed, tells its progress, and names what it kept', async () => {
    const [before, after] = [await urlOfServer(), await urlOfServer()];
    expect(await result('experiment', {})).toEqual({ status: null });
    const planned = await result('planExperiment', { plan: planOf(before, after) });
    expect(planned.total.split('\n')).toEqual([
      `A, before: ${before}`,
      `B, after:  ${after}`,
      `In turn: A B. Each turn loads ${before} or ${after} with 2 connections for 1 s each, after 0 s of warm-up: at least 2 s in all.`,
      // Both servers are of this process.
      expect.stringMatching(new RegExp(`^Watched on .*\\(${process.pid}\\) :`)),
    ]);
    expect(planned.commands.map((argv) => argv.at(-1))).toEqual([before, after]);
    expect(await result('experiment', {})).toEqual({ status: null });
    const { id } = await result('start', { confirmation: planned.confirmation });
    expect((await result('experiment', {})).status).toMatchObject({ id, state: 'running', pairs: 1, experiment: null });
    expect(
      await engine.call('load', { method: 'start', params: { confirmation: planned.confirmation } }),
    ).toMatchObject({
      ok: false,
    });
    const status = await ended();
    expect(status).toMatchObject({ state: 'finished', message: null, now: null, name: `${before} → ${after}` });
    expect(status.steps).toMatchObject([{ concurrency: 2, before: { runs: 1 }, after: { runs: 1 } }]);
    expect(await engine.result('experiment.get', { id: status.experiment! })).toMatchObject({ missing: [] });
  });

  test('ends with the reason if a side can’t be started, and with nothing if it is stopped at once', async () => {
    const url = 'http://127.0.0.1:9/';
    const start = ['/nowhere/server', '--token=hunter2hunter2'];
    const sides = { before: { url, start, change: null }, after: { url, start, change: null } };
    const planned = await result('planExperiment', { plan: planOf(url, url, { sides }) });
    expect(JSON.stringify(planned)).not.toContain('hunter2');
    await result('start', { confirmation: planned.confirmation });
    expect(await ended()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^\/nowhere\/server can't be started: /),
      remedy: 'Check its path and --cwd.',
      experiment: null,
    });
    const other = await result('planExperiment', { plan: planOf(await urlOfServer(), await urlOfServer()) });
    const { id } = await result('start', { confirmation: other.confirmation });
    await result('stop', { id });
    expect(await ended()).toMatchObject({ state: 'stopped', message: null, experiment: null });
  });

  test('ends with the engine, and leaves a server that is switched on the before side', async () => {
    const url = await urlOfServer();
    const log = join(engine.folder, 'switched');
    const switched = (word: string) => ({
      url,
      start: null,
      change: ['sh', '-c', 'echo "$1" >> "$2"', 'sh', word, log],
    });
    const sides = { before: switched('A'), after: switched('B') };
    const load = { ...planOf(url, url).load, seconds: 3 };
    const planned = await result('planExperiment', { plan: planOf(url, url, { sides, load }) });
    await result('start', { confirmation: planned.confirmation });
    await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe('A\nB\n');
    await engine.engine.close();
    expect(readFileSync(log, 'utf8')).toBe('A\nB\nA\n');
  });

  const URL_ = 'http://127.0.0.1:9/';
  const ELEVEN = Array.from({ length: 11 }, (_, place) => place + 1);
  test.each([
    [{ pairs: 0 }, /pairs/],
    [{ pairs: 101 }, /pairs/],
    [{ sides: { before: { url: URL_, start: [], change: null }, after: side(URL_) } }, /sides\.before\.start/],
    [{ sides: { before: { url: URL_, start: [''], change: null }, after: side(URL_) } }, /the command has no program/],
    [{ sides: { before: { url: URL_, start: ['a\0b'], change: null }, after: side(URL_) } }, /a NUL byte/],
    [{ sides: { before: { url: URL_, start: ['a'], change: null }, after: side(URL_) } }, /both sides are started/],
    [{ sides: { before: side(URL_), after: { url: URL_, start: null, change: ['a'] } } }, /both sides are switched/],
    [{ server: { cwd: null, env: { 'A=B': '1' }, ready: null, readySeconds: 5 } }, /server\.env/],
    [{ server: { cwd: null, env: {}, ready: 'file:///etc/passwd', readySeconds: 5 } }, /not an http or https URL/],
    [{ sides: { before: side('-d'), after: side(URL_) } }, /not an http or https URL/],
    [{ until: { metric: '__proto__', smallerThan: null, minutes: 1 } }, /Unknown metric: "__proto__"/],
    [{ until: { metric: 'cpu', smallerThan: 1, minutes: 1 } }, /until\.smallerThan/],
    [{ profile: { collector: 'node', at: 'each' } }, /A run of 1 s is too short for a profile/],
    [{ load: { ...planOf('', '').load, concurrencies: [] } }, /load\.concurrencies/],
    [
      { pairs: 100, load: { ...planOf('', '').load, concurrencies: ELEVEN } },
      /^1,100 runs are too many for a load test/,
    ],
  ])('refuses %j before anything runs', async (changes, why) => {
    const plan = { ...planOf(URL_, URL_), ...changes };
    expect(await engine.call('load', { method: 'planExperiment', params: { plan } })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(why) },
    });
  });

  test('says what the user accepts by the profile of a runtime', async () => {
    const plan = planOf(URL_, URL_, { profile: { collector: 'node', at: 'each' } });
    const { total } = await result('planExperiment', { plan: { ...plan, load: { ...plan.load, seconds: 3 } } });
    expect(total.split('\n').at(-1)).toBe(NODE_CONSENT);
  });

  test('profiles only servers of this machine', async () => {
    const plan = planOf('http://192.0.2.1/', URL_, { profile: { collector: 'node', at: 'each' } });
    const long = { ...plan, load: { ...plan.load, seconds: 3 } };
    expect(await engine.call('load', { method: 'planExperiment', params: { plan: long } })).toMatchObject({
      error: { code: 'not-here', message: 'Profiles are of servers on this machine.' },
    });
  });
});
