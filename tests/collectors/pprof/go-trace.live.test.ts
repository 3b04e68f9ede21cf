import { execFileSync } from 'node:child_process';
import { copyFileSync, createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { readNative } from '#core/model/native/read.ts';
import type { Profile } from '#core/model/profile.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { createGoTraceService } from '#app/engine/source/go-trace-service.ts';
import { GO_TRACE_EVENTS, planGoTrace, readGoTrace } from '#collectors/pprof/go-trace.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import type { Target } from '#collectors/target/target.ts';
import { callCli } from '../../support/call-cli.ts';
import { goPprof } from '../../support/go-pprof.ts';
import { needing } from '../../support/needing.ts';
import { parseRaw, rawSamples } from '../../support/pprof-raw.ts';

const TRACE = fileURLToPath(new URL('../../fixtures/go-trace/waits.trace', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'go-trace-'));
const target = createLocalTarget();

beforeAll(() => mkdirSync(join(folder, 'hostile')));
afterAll(async () => {
  await target.dispose();
  rmSync(folder, { recursive: true });
});

/** Returns the samples of an event, in the form of `pprof -raw`. */
function samplesOf(profile: Profile, event: number): string[] {
  return rawSamples(profile).filter((_, row) => profile.samples.event?.[row] === event);
}

const never = (): AbortSignal => new AbortController().signal;

needing(goPprof, () => {
  test('reads what go tool trace sums, sample by sample, each kind as an event', async () => {
    const plan = await planGoTrace(target, TRACE, '1.26');
    expect(plan.checks.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const profile = await readGoTrace(target, plan, never());
    expect(profile.events).toEqual(['net', 'sync', 'syscall', 'sched']);
    expect(profile.valueTypes.map(({ type, unit, event }) => `${event} ${type}/${unit}`)).toEqual(
      GO_TRACE_EVENTS.flatMap((_, event) => [`${event} contentions/count`, `${event} delay/nanoseconds`]),
    );
    for (const [event, command] of plan.commands.entries()) {
      const path = join(folder, `${event}.pb`);
      writeFileSync(path, execFileSync(command[0]!, command.slice(1)));
      const raw = execFileSync(command[0]!, ['tool', 'pprof', '-symbolize=none', '-raw', path], { encoding: 'utf8' });
      const parsed = parseRaw(raw);
      expect(parsed.length).toBeGreaterThan(1);
      expect(samplesOf(profile, event).toSorted()).toEqual(parsed.toSorted());
    }
    expect(profile.diagnostics[0]).toMatchObject({
      code: 'read-by-go',
      message: expect.stringContaining('-pprof=sched'),
    });
  });

  test('a go.mod of the folder neither chooses the tool nor makes Go download another', async () => {
    const hostile = join(folder, 'hostile');
    writeFileSync(join(hostile, 'go.mod'), 'module y\n\ngo 1.99\ntoolchain go1.99.1\n');
    copyFileSync(TRACE, join(hostile, 'a.trace'));
    const output = join(hostile, 'a.flamebench');
    const { code, stderr } = await callCli(['go-trace', 'a.trace', '-o', output], { cwd: hostile });
    expect(stderr).toMatch(/(^\$ \S+\/go tool trace -pprof=\w+ \S+a\.trace\n){4}(info: .*\n)?\d+ waits\n$/m);
    expect(code).toBe(0);
    expect(readNative(readFileSync(output)).events).toEqual([...GO_TRACE_EVENTS]);
  });

  test('a capture keeps its trace, and opens the profile from then on', async () => {
    const library = await openLibrary(join(folder, 'library'));
    try {
      const service = createGoTraceService(library, target);
      const { id } = await library.importFile('waits.trace', createReadStream(TRACE));
      const forgotten = await service.plan(id);
      service.cancel(forgotten.confirmation ?? '');
      await expect(service.run(forgotten.confirmation ?? '')).rejects.toMatchObject({ code: 'not-confirmed' });
      const plan = await service.plan(id);
      expect(plan.commands).toHaveLength(4);
      const { samples } = await service.run(plan.confirmation ?? '');
      const document = await library.get(id);
      expect(document).toMatchObject({ primaryFile: 'by-go.flamebench', otherFiles: ['raw.trace'], samples });
      const { path, fileName, size } = await library.openFile(id);
      const profile = await importProfile({ fileName, size, chunks: () => createReadStream(path) });
      expect(profile.metadata.tool).toBe('go tool trace');
      expect((await service.plan(id)).commands).toEqual(plan.commands);
    } finally {
      library.close();
    }
  });

  test('a truncated trace is refused with what Go says', async () => {
    const cut = join(folder, 'cut.trace');
    writeFileSync(cut, readFileSync(TRACE).subarray(0, 9000));
    const plan = await planGoTrace(target, cut, '1.26');
    await expect(readGoTrace(target, plan, never())).rejects.toThrow(/^go tool trace failed: .*or it is truncated$/);
    const { code, stderr } = await callCli(['go-trace', cut, '-o', join(folder, 'cut.flamebench')]);
    expect(code).toBe(3);
    expect(stderr).toContain('could not be read: go tool trace failed');
  });
});

test('without Go, the check says where to run which command', async () => {
  const without: Target = { ...target, findExecutable: () => Promise.resolve(null) };
  const plan = await planGoTrace(without, TRACE, '1.26');
  expect(plan.commands).toEqual([]);
  expect(plan.checks[1]).toMatchObject({ status: 'failed', remedy: expect.stringContaining('flamebench go-trace') });
});

test('refuses what is no trace', async () => {
  const output = join(folder, 'none.flamebench');
  const { code, stderr } = await callCli(['go-trace', fileURLToPath(import.meta.url), '-o', output]);
  expect(code).toBe(3);
  expect(stderr).toContain('is not an execution trace of Go');
  expect((await callCli(['go-trace', TRACE])).code).toBe(2);
});
