import { addRows, readNames, write } from './scaffold.ts';

/**
 * `npm run new:collector NAME`: what docs/recipes/add-a-collector.md describes, for a tool that is called as the
 * collector, attaches to a process and prints folded stacks as it goes: options, plan, driver, subcommand, page of the dialog, rows
 * and a test with such a tool. It is green; change it from there.
 */
const { id, name, Name } = readNames('collector', 'collectors');
const CONSTANT = id.replaceAll('-', '_').toUpperCase();
const key = id.includes('-') ? `'${id}'` : id;

write(
  `core/contract/${id}.ts`,
  `import * as z from 'zod';
import { pidScopeSchema } from './bpftrace.ts';

/** TODO: the reason of each limit. */
export const MAX_${CONSTANT}_SECONDS = 600;
export const MAX_${CONSTANT}_HZ = 1000;

export const ${name}OptionsSchema = z.object({
  collector: z.literal('${id}'),
  scope: pidScopeSchema,
  /** Samples per second. */
  rateHz: z.number().int().min(1).max(MAX_${CONSTANT}_HZ),
  seconds: z.number().int().min(1).max(MAX_${CONSTANT}_SECONDS),
});
export type ${Name}Options = z.infer<typeof ${name}OptionsSchema>;
`,
);
write(
  `collectors/${id}/plan.ts`,
  `import type { ${Name}Options } from '#core/contract/${id}.ts';
import { commandStep, type Plan } from '../collector.ts';

export const RAW_FILE = 'raw.folded.txt';

/** Pure. \`path\`: of ${id}, absolute. */
export const plan${Name} = (path: string, options: ${Name}Options): Plan<${Name}Options> => ({
  collector: '${id}',
  options,
  steps: [commandStep([path, String(options.scope.pid), String(options.seconds), String(options.rateHz)])],
  piped: false,
  sudo: null,
  otherFiles: [],
  toolVersion: null,
  event: 'samples',
  rateHz: options.rateHz,
});
`,
);
write(
  `collectors/${id}/collector.ts`,
  `import type { ${Name}Options } from '#core/contract/${id}.ts';
import type { Check } from '#core/contract/schemas.ts';
import { checkIdentity } from '../chosen-process.ts';
import type { Collector, Preflight } from '../collector.ts';
import { findProcess } from '../target/processes.ts';
import type { Target } from '../target/target.ts';
import { readBack } from '../trace-read-back.ts';
import { withoutLive } from '../without-live.ts';
import { start${Name} } from './driver.ts';
import { plan${Name}, RAW_FILE } from './plan.ts';

/** TODO: what the tool records, and how. */
export const ${name}Collector: Collector<${Name}Options> = {
  id: '${id}',
  label: '${id}',
  output: { primaryFile: RAW_FILE, otherFiles: [], format: 'folded' },
  preflight: preflight${Name},
  start: start${Name},
  scope: ({ scope }) => scope,
  title: ({ scope }, process) => \`${id} of \${process?.name ?? 'process'} (\${scope.pid})\`,
  live: withoutLive('${id} gives its samples at the end of a recording'),
  async recover(_target, sink) {
    return { ...(await readBack(sink, RAW_FILE)), diagnostics: [] };
  },
};

async function preflight${Name}(target: Target, given: ${Name}Options): Promise<Preflight<${Name}Options>> {
  const { scope } = given;
  const [process, path] = await Promise.all([findProcess(target, scope.pid), target.findExecutable('${id}')]);
  const tool: Check =
    path === null
      ? { id: '${id}', status: 'failed', found: '${id} is not installed', remedy: 'TODO' }
      : { id: '${id}', status: 'ok', found: path, remedy: null };
  const other = checkIdentity(scope, process);
  const checks = other === null ? [tool] : [tool, other];
  if (path === null || process === null || other !== null) return { checks, plan: null };
  const options = { ...given, scope: { ...scope, startTicks: process.startTicks } };
  return { checks, plan: plan${Name}(path, options) };
}
`,
);
write(
  `collectors/${id}/driver.ts`,
  `import type { ${Name}Options } from '#core/contract/${id}.ts';
import { AttachedRecording } from '../attached-recording.ts';
import { noSuchProcess } from '../chosen-process.ts';
import { commandsOf, type CaptureSink, type Clock } from '../collector.ts';
import type { Plan, Recording, RecordingOutcome } from '../collector.ts';
import { createMessageLog } from '../message-log.ts';
import type { Ask } from '../recording-base.ts';
import { RefusedRecording } from '../recording-failure.ts';
import { startPipeline, type RunningPipeline } from '../target/pipeline.ts';
import type { Target } from '../target/target.ts';
import { RAW_FILE } from './plan.ts';

/** For printing what it still has. */
const STOP_GRACE_MS = 5000;

export const start${Name} = (target: Target, plan: Plan<${Name}Options>, sink: CaptureSink, clock: Clock): Recording =>
  new ${Name}Recording(target, plan, sink, clock, RAW_FILE);

class ${Name}Recording extends AttachedRecording<${Name}Options> {
  #pipeline: RunningPipeline | null = null;

  protected async record(): Promise<RecordingOutcome> {
    const { pid, startTicks } = this.plan.options.scope;
    try {
      const log = createMessageLog(() => false);
      const measured = { pid, startTicks: startTicks! };
      const pipeline = await startPipeline(this.target, commandsOf(this.plan), { env: { LC_ALL: 'C' }, measured });
      this.#pipeline = pipeline;
      const ask = this.asked();
      if (ask !== null) this.end(ask);
      const messages = log.read(pipeline.stderr);
      for await (const chunk of pipeline.stdout) {
        if (this.startedAt === null) this.markBegin(this.plan.options.seconds);
        await this.append(chunk);
      }
      await messages;
      this.messages.push(...log.lines);
      const { exits, identity } = await pipeline.end;
      this.markEnd();
      const refuse = ({ code, message, remedy }: ReturnType<typeof noSuchProcess>): RecordingOutcome =>
        this.refuse(new RefusedRecording(code, message, remedy));
      if (identity !== 'same') return refuse(noSuchProcess(pid));
      if (this.bytes > 0) return await this.keep();
      const why = log.lines.at(-1) ?? \`exit code \${exits[0]?.code ?? 'unknown'}\`;
      return refuse({ code: 'no-samples', message: \`${id} printed no samples: \${why}\`, remedy: null });
    } catch (error) {
      return this.refuse(error);
    } finally {
      this.#pipeline?.kill('SIGKILL');
      await this.#pipeline?.ended;
    }
  }

  protected override end(ask: Ask = 'stop'): void {
    if (ask === 'stop') this.#pipeline?.endFirst('SIGINT');
    else this.#pipeline?.kill('SIGTERM');
    this.after(STOP_GRACE_MS * (this.target.slowness?.() ?? 1), () => this.#pipeline?.kill('SIGKILL'));
  }
}
`,
);
write(
  `app/cli/record/${id}/options.ts`,
  `import type { Command } from 'commander';
import { MAX_${CONSTANT}_HZ, MAX_${CONSTANT}_SECONDS } from '#core/contract/${id}.ts';
import { wholeNumberOption } from '../../option-values.ts';
import { declareAttached, declareSeriesOptions, noNextStep, readAttached } from '../series-options.ts';
import type { RecordRow, SeriesFlags } from '../series-options.ts';

interface ${Name}Flags extends SeriesFlags {
  readonly pid?: readonly number[];
  readonly rate: number;
  readonly seconds: number;
}

export const ${name}Row: RecordRow = {
  id: '${id}',
  summary: 'TODO: what it records',
  example: 'flamebench record ${id} --pid 4242 --seconds 10',
  declare(command: Command) {
    const rate = wholeNumberOption(1, MAX_${CONSTANT}_HZ);
    declareAttached(command, MAX_${CONSTANT}_SECONDS).option('--rate <hz>', 'samples per second', rate, 99);
    declareSeriesOptions(command, 'also write the profile to this file; with --repeat, FILE-1…');
  },
  read(command: Command) {
    const flags = command.opts<${Name}Flags>();
    const { rate: rateHz, seconds } = flags;
    return readAttached(flags, (scope) => ({ collector: '${id}', scope, rateHz, seconds }));
  },
  nextStep: noNextStep,
};
`,
);
write(
  `renderer/features/record/${id}/${id}-form.ts`,
  `import { MAX_${CONSTANT}_HZ, MAX_${CONSTANT}_SECONDS, type ${Name}Options } from '#core/contract/${id}.ts';
import { readAttachedForm } from '../attached-form.ts';
import { wholeNumber } from '../form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of ${id}. */
export interface ${Name}Fields {
  readonly ${name}Rate: string;
}

export type ${Name}Form = CommonFields & ${Name}Fields;

export const EMPTY_${CONSTANT}: ${Name}Fields = { ${name}Rate: '99' };

export function read${Name}Form(form: ${Name}Form): TargetSides[] | FieldRefusal<${Name}Form> {
  const rateHz = wholeNumber(form.${name}Rate, 1, MAX_${CONSTANT}_HZ);
  if (rateHz === null)
    return { field: '${name}Rate', message: \`Invalid rate: give a whole number from 1 to \${MAX_${CONSTANT}_HZ}.\` };
  return readAttachedForm(form, { name: '${id}', maxSeconds: MAX_${CONSTANT}_SECONDS }, (scope, seconds) => ({
    collector: '${id}',
    scope,
    rateHz,
    seconds,
  }));
}

/** Returns the fields for these options; the process is chosen separately. */
export const ${name}FieldsOf = ({ rateHz, seconds }: ${Name}Options): Partial<${Name}Form> => ({
  ${name}Rate: String(rateHz),
  seconds: String(seconds),
});
`,
);
write(
  `renderer/features/record/${id}/${id}-page.tsx`,
  `import type { ReactElement, ReactNode } from 'react';
import { textFields, type PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import type { ${Name}Form } from './${id}-form.ts';

export function ${Name}Page(props: PageProps<${Name}Form> & { readonly children: ReactNode }): ReactElement {
  const { form, rows, onChange, children } = props;
  const text = textFields<'${name}Rate' | 'seconds'>(props);
  return (
    <>
      <ProcessFields form={form} rows={rows} onChange={onChange} />
      <div className="record-options">
        {text('${name}Rate', 'Rate', { numeric: true, unit: 'Hz' })}
        {text('seconds', 'Duration', { numeric: true, unit: 's' })}
        {children}
      </div>
    </>
  );
}
`,
);
write(
  `tests/collectors/${id}/driver.live.test.ts`,
  `import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ${Name}Options } from '#core/contract/${id}.ts';
import { ${name}Collector } from '#collectors/${id}/collector.ts';
import { SYSTEM_CLOCK } from '#collectors/system-clock.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { endStartedProcesses, startIdle } from '../../support/busy-process.ts';
import { MemorySink } from '../../support/memory-sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'fb-${id}-'));
const target = createLocalTarget();
endStartedProcesses();
beforeAll(() => {
  vi.stubEnv('PATH', \`\${folder}:\${process.env['PATH']}\`);
  // TODO: the real tool instead.
  const tool = join(folder, '${id}');
  writeFileSync(tool, '#!/bin/sh\\necho "main;parse 3"\\nexec sleep "$2"\\n');
  chmodSync(tool, 0o755);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await target.dispose();
  rmSync(folder, { recursive: true });
});

const optionsFor = (pid: number, seconds: number): ${Name}Options => ({
  collector: '${id}',
  scope: { kind: 'pid', pid, startTicks: null },
  rateHz: 99,
  seconds,
});

async function record(seconds: number, ask: 'stop' | 'cancel' | null) {
  const { plan } = await ${name}Collector.preflight(target, optionsFor(startIdle().pid, seconds));
  const recording = ${name}Collector.start(target, plan!, new MemorySink(), SYSTEM_CLOCK);
  recording.onProgress(({ state }) => {
    if (state === 'recording' && ask !== null) void recording[ask]();
  });
  return recording.outcome;
}

test('records a process', async () => {
  expect(await record(1, null)).toMatchObject({ state: 'finished', samples: 3, error: null });
});

test('stops early with what there is, and cancels without', async () => {
  expect(await record(60, 'stop')).toMatchObject({ state: 'finished', samples: 3, error: null });
  expect(await record(60, 'cancel')).toMatchObject({ state: 'cancelled', error: null });
});

test('plans nothing for a process that does not exist', async () => {
  expect(await ${name}Collector.preflight(target, optionsFor(2_147_483_647, 1))).toMatchObject({ plan: null });
});
`,
);
addRows('core/contract/schemas.ts', [
  { before: 'import { pprofOptionsSchema }', row: `import { ${name}OptionsSchema } from './${id}.ts';\n` },
  { before: '  pythonOptionsSchema,\n]);', row: `  ${name}OptionsSchema,\n` },
]);
addRows('collectors/registry.ts', [
  { before: 'import { perfCollector }', row: `import { ${name}Collector } from './${id}/collector.ts';\n` },
  { before: '  perf: perfCollector', row: `  ${key}: ${name}Collector,\n` },
]);
addRows('scripts/rooms.ts', [{ before: "pprof ' +", row: `${id} ` }]);
addRows('app/cli/record/collectors.ts', [
  { before: 'import { perfRow }', row: `import { ${name}Row } from './${id}/options.ts';\n` },
  { before: 'bpftraceRow, stapRow]', row: `${name}Row, ` },
]);
addRows('renderer/features/record/record-again.ts', [{ before: "    case 'python':\n", row: `    case '${id}':\n` }]);
addRows('renderer/features/record/collector-pages.ts', [
  {
    before: 'import { EMPTY_PERF',
    row: `import { EMPTY_${CONSTANT}, ${name}FieldsOf, read${Name}Form, type ${Name}Fields } from './${id}/${id}-form.ts';
import { ${Name}Page } from './${id}/${id}-page.tsx';\n`,
  },
  { before: '  RecipeFields;', row: `  ${Name}Fields &\n` },
  { before: '  ...EMPTY_RECIPE', row: `  ...EMPTY_${CONSTANT},\n` },
  {
    before: '  bpftrace: {\n',
    row: `  ${key}: {
    label: '${id}',
    Scope: null,
    Page: ${Name}Page,
    read: read${Name}Form,
    fieldsOf: (options) => (options.collector === '${id}' ? ${name}FieldsOf(options) : {}),
  },\n`,
  },
]);
process.stdout.write(
  `Next: npm run format, npx vitest run tests/collectors/${id}, then docs/recipes/add-a-collector.md from its first step on.\n`,
);
