import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startPipeline, type PipelineEnd, type PipelineOptions } from '#collectors/target/pipeline.ts';
import { readProcStat } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { startBusy } from '../../support/busy-process.ts';
import { killProcess, processesIn } from '../../support/process-list.ts';
import { isRunning } from '../../support/process-state.ts';

interface Done {
  readonly end: PipelineEnd;
  readonly stdout: string;
  readonly stderr: string;
}

/** Declares the tests of pipelines for every kind of target. The target's processes must be this machine's. */
export function describePipeline(name: string, create: () => Target): void {
  describe(`pipeline on ${name}`, () => {
    async function runPipeline(
      stages: readonly (readonly string[])[],
      options: Partial<PipelineOptions> = {},
      onStdout?: (text: string, pipeline: Awaited<ReturnType<typeof startPipeline>>) => void,
    ): Promise<Done> {
      const target = create();
      try {
        const pipeline = await startPipeline(target, stages, { measured: null, ...options });
        const stderr = readAll(pipeline.stderr);
        let stdout = '';
        for await (const chunk of pipeline.stdout) {
          stdout += Buffer.from(chunk).toString('latin1');
          onStdout?.(stdout, pipeline);
        }
        return { end: await pipeline.end, stdout, stderr: await stderr };
      } finally {
        await target.dispose();
      }
    }

    test('connects each stage’s output to the next one’s input; arguments are unchanged', async () => {
      const argv = ['printf', '%s\\n', 'a b', '$HOME', '`id`', "it's", '"', '*', '', '-n', 'ü\n€', '--', '\\'];
      const { end, stdout } = await runPipeline([argv, ['sed', 's/^/ /'], ['sed', 's/^/</']]);
      expect(Buffer.from(stdout, 'latin1').toString()).toBe(
        argv
          .slice(2)
          .join('\n')
          .split('\n')
          .map((line) => `< ${line}\n`)
          .join(''),
      );
      expect(end.exits).toEqual([0, 0, 0].map((code) => ({ code, signal: null })));
      expect(end).toMatchObject({ identity: 'same', cpuSeconds: null });
    });

    test('reports how each stage ended, and passes on their stderr', async () => {
      const { end, stdout, stderr } = await runPipeline([
        ['sh', '-c', 'echo one >&2; printf cut >&2; exit 3'],
        ['sh', '-c', 'cat; echo two >&2; kill -KILL $$'],
        ['sh', '-c', 'cat; echo out; exit 7'],
      ]);
      expect(end.exits).toEqual([
        { code: 3, signal: null },
        { code: null, signal: 'SIGKILL' },
        { code: 7, signal: null },
      ]);
      expect(stdout).toBe('out\n');
      expect(stderr).toContain('one\n');
      expect(stderr).toContain('two\n');
      expect(stderr).toContain('cut');
      expect(stderr).not.toContain('flamebench-');
      expect(stderr).not.toContain('Killed');
    });

    test('ends with 127 if a program does not exist', async () => {
      const { end, stderr } = await runPipeline([['/nonexistent/program', 'x'], ['cat']]);
      expect(end.exits).toEqual([127, 0].map((code) => ({ code, signal: null })));
      expect(stderr).toContain('/nonexistent/program');
    });

    test('lets the other stages finish when INT ends the first, which does not ignore the signal', async () => {
      const first = `trap 'echo last; exit 5' INT; echo first; while :; do sleep 0.1; done`;
      const stages = [['sh', '-c', first], ['sed', '-u', 's/$/!/'], ['cat']];
      const { end, stdout } = await runPipeline(stages, {}, (text, pipeline) => {
        if (text === 'first!\n') pipeline.endFirst('SIGINT');
      });
      expect(stdout).toBe('first!\nlast!\n');
      expect(end.exits).toEqual([5, 0, 0].map((code) => ({ code, signal: null })));
    });

    test('sends the first stage a line at once and one each second, and notices its first byte of output', async () => {
      let begun = false;
      const first = ['sh', '-c', 'read a; read b; echo "$a $b"; exec sleep 60'];
      const { stdout } = await runPipeline([first, ['cat']], { pings: true }, (_text, pipeline) => {
        void pipeline.begun.then(() => {
          begun = true;
          pipeline.endFirst('SIGKILL');
        });
      });
      expect({ begun, stdout }).toEqual({ begun: true, stdout: 'enable ping\n' });
    });

    test('ends completely when killed, and later stages clean up', async () => {
      const target = create();
      try {
        const file = await target.makeTempDir();
        const cleans = `echo $$; cat >/dev/null; echo done > '${file}/done'`;
        const pipeline = await startPipeline(
          target,
          [
            ['sleep', '60'],
            ['sh', '-c', cleans],
          ],
          { measured: null },
        );
        const stderr = readAll(pipeline.stderr);
        const pids: number[] = [];
        for await (const chunk of pipeline.stdout) {
          pids.push(Number(new TextDecoder().decode(chunk)));
          pipeline.kill('SIGTERM');
        }
        await pipeline.end;
        await stderr;
        expect(pids.map(isRunning)).toEqual([false]);
        expect(existsSync(`${file}/done`)).toBe(true);
      } finally {
        await target.dispose();
      }
    });

    test('does not report output as complete if its end was cut off', async () => {
      const { end, stdout } = await runPipeline([['sh', '-c', 'echo $$; exec sleep 60']], {}, (text) => {
        const pid = Number(text);
        const processes = processesIn(pid);
        const group = processes.find((process) => process.pid === pid)?.group;
        for (const process of processes) {
          if (process.command === 'cat' && process.group === group) killProcess(process.pid);
        }
      });
      expect(isRunning(Number(stdout))).toBe(false);
      expect(end).toMatchObject({ exits: [null], exit: { code: null, signal: null }, isTorn: true });
    });

    test('measures a process on the target between start and end', async () => {
      const busy = startBusy();
      const target = create();
      const startTicks = (await readProcStat(target, busy.pid))?.startTicks ?? '';
      await target.dispose();
      const measured = { pid: busy.pid, startTicks };
      const { end } = await runPipeline(
        [['sh', '-c', 'while echo x; do sleep 0.2; done'], ['cat']],
        { measured },
        (text, pipeline) => {
          if (text.length >= 10) pipeline.endFirst('SIGTERM');
        },
      );
      expect(end.exits[0]).toEqual({ code: null, signal: 'SIGTERM' });
      expect(end.seconds).toBeGreaterThan(0.5);
      expect(end.cpuSeconds?.end).toBeGreaterThan(end.cpuSeconds?.start ?? Infinity);
      expect(end.identity).toBe('same');
    });

    test('runs nothing if the measured process is gone or replaced', async () => {
      const busy = startBusy();
      const stages = [['echo', 'ran'], ['cat']];
      const gone = await runPipeline(stages, { measured: { pid: 4_194_303, startTicks: '1' } });
      const other = await runPipeline(stages, { measured: { pid: busy.pid, startTicks: '1' } });
      expect([gone.end.identity, other.end.identity]).toEqual(['gone', 'replaced']);
      expect([gone.stdout, other.stdout]).toEqual(['', '']);
    });
  });
}

async function readAll(output: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
