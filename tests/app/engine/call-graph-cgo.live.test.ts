import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PerfOptions } from '#core/contract/schemas.ts';
import { openCollectorMemory } from '#app/engine/recording/collector-memory.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { startRecording } from '#app/engine/recording/recording.ts';
import { collectorsWith } from '#collectors/registry.ts';
import { findCommand } from '../../../scripts/components.mjs';
import { endStartedProcesses, startForTest } from '../../support/busy-process.ts';
import { needing } from '../../support/needing.ts';
import { checkPerfEnds, pidScope } from '../../support/perf-recording.ts';
import { here, untilStatus } from '../../support/recording-session.ts';

const go = { name: 'Go and gcc', present: () => findCommand('go') !== null && findCommand('gcc') !== null };

needing(go, () => {
  const folder = mkdtempSync(join(tmpdir(), 'call-graph-cgo-'));
  const program = join(folder, 'cgobusy');

  endStartedProcesses();
  checkPerfEnds();
  beforeAll(() => {
    const cwd = fileURLToPath(new URL('../../fixtures/cgo', import.meta.url));
    const env = { ...process.env, CGO_ENABLED: '1', GOTOOLCHAIN: 'local' };
    execFileSync('go', ['build', '-o', program, '.'], { cwd, env });
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  async function record(callGraph: PerfOptions['callGraph']) {
    const library = await openLibrary(mkdtempSync(join(folder, 'library-')));
    const memory = openCollectorMemory(mkdtempSync(join(folder, 'config-')));
    const { pid } = startForTest(program, []);
    const hosts = [await here({ ...pidScope(pid), callGraph })];
    const session = await startRecording(
      { library, collector: collectorsWith({ memory }) },
      { hosts, repeat: 1, pauseSeconds: 0, name: null },
    );
    return {
      session,
      async end() {
        await session.stop();
        const { captures } = await session.ended;
        library.close();
        await memory.close();
        return captures;
      },
    };
  }

  test('Go calling C with frame pointers: reports truncated stacks within the first second', async () => {
    const { session, end } = await record('fp');
    const { finding } = await untilStatus(session, (status) => status.finding !== undefined);
    expect(finding).toMatchObject({
      message: expect.stringMatching(/of the stacks are truncated/),
      options: { callGraph: 'dwarf' },
    });
    const [capture] = await end();
    expect(capture?.quality?.grade).toBe('poor');
  });

  test('auto switches to DWARF, with which stacks are whole', async () => {
    const { session, end } = await record('auto');
    const first = session.status.captureId;
    await untilStatus(session, ({ captureId, samples }) => captureId !== first && samples > 60);
    const captures = await end();
    expect(captures).toMatchObject([{ options: { callGraph: 'dwarf' } }]);
    expect(captures[0]?.quality?.unrooted).toBeLessThan(0.1);
  });
});
