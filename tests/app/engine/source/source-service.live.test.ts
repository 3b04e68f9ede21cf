import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnnotationPlan } from '#core/contract/source.ts';
import type { CaptureDocument } from '#core/contract/schemas.ts';
import { createRecorder } from '#app/engine/recording/create-recorder.ts';
import { compileHot } from '../../../support/hot-program.ts';
import { startTestEngine, type TestEngine } from '../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'source-service-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Functions in order: main at /…/main.c, then the others of the text. */
function perfScript(file: string): string {
  return ['app 7 1.000: 1 cycles:', '\t1 work+0x1 (/srv/app)', `  ${file}:12`, '\t2 main+0x1 (/srv/app)', '', ''].join(
    '\n',
  );
}

async function upload(engine: TestEngine, text: string): Promise<string> {
  const headers = { origin: engine.engine.origin, 'x-flamebench-token': await engine.session() };
  const answer = await engine.send('/upload?name=a.txt', { method: 'POST', headers, body: text });
  return (JSON.parse(answer.text) as { result: CaptureDocument }).result.id;
}

describe('source text', () => {
  test('is read only after it is allowed for the capture, and only by index', async () => {
    const engine = await startTestEngine();
    const file = join(folder, 'work.c');
    writeFileSync(file, 'int work;\n');
    const id = await upload(engine, perfScript(file));
    const other = await upload(engine, perfScript(file));
    const text = (func: number, capture = id): Promise<unknown> => engine.call('source.text', { id: capture, func });
    expect(await text(0)).toMatchObject({ ok: false, error: { code: 'source-not-allowed' } });
    await engine.result('source.allow', { id: other, allowed: true });
    expect(await text(0)).toMatchObject({ error: { code: 'source-not-allowed' } });
    await engine.result('source.allow', { id, allowed: true });
    expect(await text(0)).toMatchObject({ ok: true, result: { file, lines: ['int work;', ''] } });
    expect(await text(1)).toMatchObject({ error: { code: 'source-unknown' } });
    expect(await text(2)).toMatchObject({ error: { code: 'not-found' } });
    expect(await text(-1)).toMatchObject({ error: { code: 'invalid-arguments' } });
    expect(await text(0, 'nothing')).toMatchObject({ error: { code: 'not-found' } });
    expect(await engine.call('source.text', { id, func: file })).toMatchObject({
      error: { code: 'invalid-arguments' },
    });
    await engine.result('source.allow', { id, allowed: false });
    expect(await text(0)).toMatchObject({ error: { code: 'source-not-allowed' } });
    expect(engine.log).toEqual([]);
  });

  test('of a hostile profile is refused even if allowed', async () => {
    const engine = await startTestEngine();
    for (const file of ['/etc/shadow', '/proc/self/environ']) {
      const id = await upload(engine, perfScript(file));
      await engine.result('source.allow', { id, allowed: true });
      expect(await engine.call('source.text', { id, func: 0 })).toMatchObject({ error: { code: 'source-refused' } });
    }
  });
});

test('explains that a capture without perf’s own recording cannot be disassembled', async () => {
  const engine = await startTestEngine();
  const id = await upload(engine, perfScript('/a.c'));
  expect(await engine.result('annotate.plan', { id, func: 0, lines: false })).toMatchObject({
    name: 'work',
    module: '/srv/app',
    command: null,
    confirmation: null,
    checks: [{ id: 'recording', status: 'failed' }],
  });
});

describe('disassembly of a recording', () => {
  let program = '';
  beforeAll(() => {
    ({ program } = compileHot(folder));
  });

  test('runs the shown command once', async () => {
    const engine = await startTestEngine({ createRecorder });
    const id = await record(engine, program);
    const plan = await planOf(engine, id, 'mix');
    expect(plan.checks.map(({ id: check, status }) => `${check} ${status}`)).toEqual([
      'recording ok',
      'perf ok',
      'objdump ok',
      'function ok',
      'binary ok',
    ]);
    expect(plan.command?.at(-1)).toBe('--symbol=mix');
    const answer = await engine.call('annotate.run', { confirmation: plan.confirmation });
    expect(answer).toMatchObject({ ok: true, result: { truncated: false, events: [{ module: program }] } });
    expect(await engine.call('annotate.run', { confirmation: plan.confirmation })).toMatchObject({
      error: { code: 'not-confirmed' },
    });

    expect(await cancelWhileRunning(engine, id)).toMatchObject({ error: { code: 'cancelled' } });
    const forgotten = await planOf(engine, id, 'mix');
    await engine.result('annotate.cancel', { confirmation: forgotten.confirmation ?? '' });
    expect(await engine.call('annotate.run', { confirmation: forgotten.confirmation })).toMatchObject({
      error: { code: 'not-confirmed' },
    });

    const caller = await planOf(engine, id, '__libc_start_call_main');
    expect(caller.checks.find(({ id: check }) => check === 'function')).toMatchObject({ status: 'failed' });
    expect(engine.log).toEqual([]);
  });
});

/** If perf ended before it was cancelled, tries again with a shorter delay. */
async function cancelWhileRunning(engine: TestEngine, id: string): Promise<unknown> {
  let answer: unknown = null;
  for (const waitMs of [30, 15, 8, 4]) {
    const { confirmation } = await planOf(engine, id, 'mix');
    const running = engine.call('annotate.run', { confirmation });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await engine.result('annotate.cancel', { confirmation: confirmation ?? '' });
    answer = await running;
    if (!(answer as { ok: boolean }).ok) break;
  }
  return answer;
}

async function record(engine: TestEngine, program: string): Promise<string> {
  const { confirmation } = (await engine.result('record.plan', {
    targets: [{ target: 'local' }],
    options: {
      collector: 'perf',
      scope: { kind: 'command', argv: [program] },
      rateHz: 997,
      event: 'cpu-clock',
      callGraph: 'fp',
      seconds: null,
    },
    repeat: 1,
    pauseSeconds: 0,
    name: 'hot',
  })) as { confirmation: string };
  const { captureId } = (await engine.result('record.start', { confirmation })) as { captureId: string };
  for (;;) {
    const { state } = (await engine.result('library.get', { id: captureId })) as CaptureDocument;
    if (state === 'finished') return captureId;
    if (state === 'failed') throw new Error('not recorded');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function planOf(engine: TestEngine, id: string, name: string): Promise<AnnotationPlan> {
  for (let func = 0; ; func++) {
    const plan = (await engine.result('annotate.plan', { id, func, lines: false })) as AnnotationPlan;
    if (plan.name === name) return plan;
  }
}
