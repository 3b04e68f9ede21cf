import type { StapOptions } from '#core/contract/stap.ts';
import { diagnostic, type Diagnostic } from '#core/model/diagnostics.ts';
import { commandsOf } from '../collector.ts';
import { readScript } from '../read-script.ts';
import type { RecordingFailure } from '../recording-failure.ts';
import { formatShare } from '#core/units/format.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { runToEnd } from '../target/run-to-end.ts';
import { isUnknown, type Target } from '../target/target.ts';
import { normalTargetPath, type TargetPath } from '../target/target-words.ts';
import type { PrepareContext, TraceTool } from '../trace-recording.ts';
import { findStaprun } from './checks.ts';
import { explainStapFailure, isNoise } from './explain-failure.ts';
import { copyModule, provideBuild, type OpenTarget } from './build-host.ts';
import { COMPILED_MODULE, MENDED_RUNTIME, RAW_FILE, STAP_ENVIRONMENT, type StapPlan } from './plan.ts';
import { readCounts } from './counts.ts';

const NO_OTHER_TARGET: OpenTarget = () => Promise.reject(new Error('no other machine can compile here'));

const RUN_MODULE = readScript(new URL('./run-module.sh', import.meta.url));

type Tool = TraceTool<StapOptions>;

/** Returns the tool; `open` opens the build host of a plan that compiles elsewhere. */
export const createStapTool = (open: OpenTarget = NO_OTHER_TARGET): Tool => ({
  name: 'stap',
  rawFile: RAW_FILE,
  environment: STAP_ENVIRONMENT,
  rowEnd: /^row \d/m,
  preparing: 'was compiling the script',
  isNoise,
  hasBegun: (text) => text.includes('# flamebench stap'),
  prepare: (context) => prepare(context, open),
  explain: explainStapFailure,
  cleanUp: unload,
  report,
  atTargetEnd: 'what it did until then is kept',
  scriptsPrint: 'Print each stack with `print_ustack` or `print_stack`, then a line with a tab and its count.',
});

async function prepare(context: PrepareContext<StapOptions>, open: OpenTarget): ReturnType<Tool['prepare']> {
  const { target, plan, atEnd } = context;
  const { build }: StapPlan = plan;
  const [load = [], compile = [], mend] = commandsOf(plan).toReversed();
  const builder = build === undefined ? target : await open(build.on);
  if (build !== undefined) await provideBuild(builder, target, readerOf(context), build);
  const there = { ...context, target: builder };
  const runtime = mend === undefined ? '' : await printedPath(there, mend, '');
  if (typeof runtime !== 'string') return runtime;
  const withRuntime = compile.map((word) => (word === MENDED_RUNTIME ? runtime : word));
  const compiled = await printedPath(there, withRuntime, '.ko');
  if (typeof compiled !== 'string') return compiled;
  const copy = build === undefined ? null : await copyModule(builder, target, compiled, atEnd);
  const argv = load.map((word) => (word === COMPILED_MODULE ? (copy?.path ?? compiled) : word));
  return ['/bin/sh', '-c', RUN_MODULE, 'flamebench', copy?.folder ?? '', ...argv];
}

/** Returns what can read the addresses of the kernel's symbols. */
const readerOf = ({ target, plan }: PrepareContext<StapOptions>): Pick<Target, 'run'> =>
  plan.sudo === null ? target : (target.root ?? target);

/** Runs a command, whose stderr (stap's passes) becomes messages, and returns the path that it prints last. */
async function printedPath(
  { target, signal, log }: PrepareContext<StapOptions>,
  argv: readonly string[],
  suffix: string,
): Promise<TargetPath | RecordingFailure> {
  const process = await target.run(argv, { env: STAP_ENVIRONMENT, signal, input: false });
  const chunks: Uint8Array[] = [];
  const readPath = async (): Promise<void> => {
    for await (const chunk of process.stdout) chunks.push(chunk.slice());
  };
  const [exit] = await Promise.all([process.exit, log.read(process.stderr), readPath()]);
  const path = normalTargetPath(new TextDecoder().decode(joinBytes(chunks)).trim().split('\n').at(-1));
  if (exit.code === 0 && path !== null && path.endsWith(suffix)) return path;
  if (isUnknown(exit)) {
    const message = `the connection to ${target.host} was lost while stap compiled the script`;
    return { code: 'link-lost', message, remedy: 'reconnect and record again' };
  }
  return explainStapFailure(log.text, exit);
}

const UNLOAD_TIMEOUT_MS = 10_000;

/** Waits until the recording's module is unloaded, and reports it if it stays. */
async function unload(...[target, runner, sink]: Parameters<Tool['cleanUp']>): ReturnType<Tool['cleanUp']> {
  const { module } = await readCounts(sink);
  if (module === null) return [];
  const deadline = performance.now() + UNLOAD_TIMEOUT_MS * (target.slowness?.() ?? 1);
  while (await isLoaded(target, module)) {
    if (performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    const staprun = await findStaprun(target);
    const left = staprun === null ? null : await runToEnd(runner, [staprun, '-d', module]);
    if (left?.exit.code === 0) return [];
    const message = `The kernel module ${module} is still loaded on ${target.host}; its probes have ended.`;
    return [diagnostic('module-left', message, { remedy: `Run there: sudo staprun -d ${module}` })];
  }
  return [];
}

async function isLoaded(target: Target, module: string): Promise<boolean> {
  const modules = new TextDecoder().decode(await target.readFile('/proc/modules'));
  return modules.split('\n').some((line) => line.startsWith(`${module} `));
}

/** Reports what stap counted. `WARNING: Number of errors: 0, skipped probes: 2` ends its stderr. */
async function report(...[stderr, sink]: Parameters<Tool['report']>): ReturnType<Tool['report']> {
  const counts = await readCounts(sink);
  const [, errors = '0', skipped = '0'] = /Number of errors: (\d{1,15}), skipped probes: (\d{1,15})/.exec(stderr) ?? [];
  const [, failures = '0'] = /There were (\d{1,15}) transport failures/.exec(stderr) ?? [];
  const add = (code: string, severity: Diagnostic['severity'], message: string, count: number, remedy: string | null) =>
    count === 0 ? [] : [diagnostic(code, message, { severity, count, remedy })];
  const cost = counts.probeShare === null ? '' : ` The probes took ${formatShare(counts.probeShare, 1)} of one CPU.`;
  return {
    skipped: Number(skipped),
    diagnostics: [
      ...add(
        'in-kernel',
        'info',
        `Samples taken while the process ran in the kernel.${cost}`,
        counts.inKernel ?? 0,
        null,
      ),
      ...add(
        'in-jit',
        'info',
        'Samples taken in compiled traces of LuaJIT; their Lua callers are those of the trace’s start.',
        counts.inJit ?? 0,
        'For the line that runs, turn the JIT compiler off: jit.off().',
      ),
      ...add(
        'lua-unread',
        'warning',
        'Samples whose Lua stack was changing or not in memory lack their Lua functions.',
        counts.unread ?? 0,
        null,
      ),
      ...add(
        'skipped-probes',
        'warning',
        'SystemTap skipped events because their variables were in use.',
        Number(skipped),
        'Record a lower rate.',
      ),
      ...add(
        'lost-output',
        'warning',
        'Output of the module was lost because it was not read in time; the weight of its rows is counted as lost.',
        Number(failures),
        'Record a lower rate, or while the machine is less busy.',
      ),
      ...add(
        'probe-errors',
        'warning',
        'Probes failed: a map was full, or memory could not be read.',
        Number(errors),
        'Record a lower rate, or for a shorter time.',
      ),
    ],
  };
}
