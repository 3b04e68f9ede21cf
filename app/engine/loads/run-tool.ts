import type { LoadResult } from '#core/contract/load/result.ts';
import type { LoadPlan } from '#core/contract/load/load-test.ts';
import { HISTORY_FILE, loadArgv } from '#core/load/plan-load.ts';
import { LATENCIES_FILE, LATENCIES_SCRIPT, mergeSources, shareOf } from '#core/load/merge-sources.ts';
import { readLoadResults } from '#core/load/read-load-results.ts';
import { hasNoSuccess } from '#core/load/sweep.ts';
import { ImportFailure } from '#core/model/failure.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { findOtherScheme } from '#collectors/fetch/other-scheme.ts';
import { describeExit, type RunningProcess, type Target } from '#collectors/target/target.ts';
import { readStart } from '#collectors/target/run-to-end.ts';
import { EngineFailure } from '../failure.ts';

/** A machine that sends requests. */
export interface LoadSender {
  readonly target: Target;
  /** Absolute path of the tool there. */
  readonly program: string;
  readonly cpus: number;
}

/** The load-testing tool of a sweep. */
export interface LoadTool extends LoadSender {
  readonly plan: LoadPlan;
  readonly signal: AbortSignal;
  /** Further machines that send at the same moment. */
  readonly senders: readonly LoadSender[];
}

export interface ToolOutput {
  readonly text: string;
  /** The last line of stderr. */
  readonly complaint: string;
  readonly exit: string;
  /** Locust's history as CSV; null: there is none. */
  readonly history: string | null;
}

const MISCOUNTED =
  'wrk counts a read error after each answer without Connection: close whose connection the server closes; --tool hey does not.';

/** Time beyond its duration that a tool may take for late answers and its report. Milliseconds. */
const GRACE_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 << 20;

/** Runs the tool once, and to its end unless the signal aborts. */
export async function runTool(tool: LoadTool, concurrency: number, seconds: number): Promise<ToolOutput> {
  const { plan, target } = tool;
  if (tool.senders.length > 0) return runTogether(tool, concurrency, seconds);
  if (plan.tool !== 'locust') return runIn(tool, concurrency, seconds, {});
  const folder = await target.makeTempDir();
  try {
    const output = await runIn(tool, concurrency, seconds, { cwd: folder });
    const history = await target.readFile(`${folder}/${HISTORY_FILE}`).catch(() => null);
    return { ...output, history: history === null ? null : new TextDecoder().decode(history) };
  } finally {
    await target.removeTempDir(folder);
  }
}

async function runIn(
  { plan, program, cpus, target, signal }: LoadTool,
  concurrency: number,
  seconds: number,
  where: { readonly cwd?: string },
): Promise<ToolOutput> {
  const child = await target.run(loadArgv(plan, program, concurrency, seconds, cpus), { input: false, ...where });
  return outputOf(child, plan, seconds, signal);
}

/** Waits for a line before it runs its arguments. */
const AWAITING = ['sh', '-c', 'read -r _ && exec "$@" </dev/null', 'sh'];

/** Runs the tool on all machines, which start once each of them is ready. */
async function runTogether(tool: LoadTool, concurrency: number, seconds: number): Promise<ToolOutput> {
  const { plan, signal } = tool;
  const machines = [tool, ...tool.senders];
  const parts = machines
    .map(({ target, program, cpus }, place) => ({
      target,
      program,
      cpus,
      share: shareOf(concurrency, machines.length, place),
    }))
    .filter(({ share }) => share > 0);
  const folders: { readonly target: Target; readonly path: string }[] = [];
  const children: RunningProcess[] = [];
  try {
    for (const { target, program, cpus, share } of parts) {
      const path = await target.makeTempDir();
      folders.push({ target, path });
      await target.writeFile(`${path}/${LATENCIES_FILE}`, new TextEncoder().encode(LATENCIES_SCRIPT));
      const argv = loadArgv(plan, program, share, seconds, cpus);
      children.push(await target.run([...AWAITING, ...argv], { cwd: path }));
    }
    await Promise.all(children.map((child) => child.write(new TextEncoder().encode('\n'))));
    const outputs = await Promise.all(children.map((child) => outputOf(child, plan, seconds, signal)));
    const failed = outputs.findIndex(({ exit }) => exit !== 'exit code 0');
    const { complaint, exit } = outputs[Math.max(0, failed)]!;
    const where = failed < 0 ? '' : `${parts[failed]!.target.host}: `;
    return { text: outputs.map(({ text }) => text).join('\n'), complaint: `${where}${complaint}`, exit, history: null };
  } catch (error) {
    for (const child of children) child.kill('SIGKILL');
    throw error;
  } finally {
    for (const { target, path } of folders) await target.removeTempDir(path).catch(() => undefined);
  }
}

async function outputOf(
  child: RunningProcess,
  plan: LoadPlan,
  seconds: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const end = (): void => child.kill('SIGKILL');
  const timer = setTimeout(end, seconds * 1000 + GRACE_MS);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const [stdout, stderr, exit] = await Promise.all([
      readStart(child.stdout, MAX_OUTPUT_BYTES),
      readStart(child.stderr, MAX_OUTPUT_BYTES),
      child.exit,
    ]);
    return {
      // Locust's log is on stderr, its result alone on stdout.
      text: plan.tool === 'locust' ? stdout : `${stdout}${stderr}`,
      complaint: complaintOf(stderr.trim() === '' ? stdout : stderr),
      exit: describeExit(exit),
      history: null,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** The last line, or that of Locust which says why it gave up. */
function complaintOf(text: string): string {
  const lines = text.trim().split('\n');
  return lines.findLast((line) => /^\w*Error: |\/ERROR\//.test(line)) ?? lines.at(-1) ?? '';
}

/** Returns the result of a run; if nothing succeeded because the port speaks the other scheme, the failure says so. */
export async function readOrExplain(
  output: ToolOutput,
  concurrency: number,
  { plan, target, senders }: LoadTool,
): Promise<LoadResult> {
  let result: LoadResult | null = null;
  let failure: unknown = null;
  try {
    const machines = [target, ...senders.map((one) => one.target)].slice(0, concurrency);
    result = readRun(
      output,
      concurrency,
      plan,
      machines.map(({ host }) => host),
    );
    if (!hasNoSuccess(result)) return result;
  } catch (error) {
    failure = error;
  }
  const other = await findOtherScheme(target, plan.url);
  if (other !== null)
    throw new EngineFailure('other-scheme', `${plan.tool} got no answer: ${other.found}.`, other.remedy);
  if (result === null) throw failure;
  return result;
}

/** Returns the result of a run; throws an `EngineFailure` if the tool measured nothing. */
function readRun(
  { text, complaint, exit, history }: ToolOutput,
  concurrency: number,
  { tool, url, shortConnections, senders }: LoadPlan,
  hosts: readonly string[],
): LoadResult {
  try {
    const [first] = readLoadResults(text);
    const result = senders === undefined || first!.seconds === null ? first : mergeSources(text, hosts);
    // wrk ends like this before it starts the test; hey counts refused connections.
    if (result!.seconds === null) throw refused(tool, concurrency, complaint);
    const [error] = result!.errors;
    if (error?.kind === 'connect' && error.count === result!.requests) throw refused(tool, concurrency, error.detail);
    const isMiscounted =
      tool === 'wrk' && shortConnections === true && result!.errors.some(({ kind }) => kind === 'read');
    const notes = [...result!.notes, ...(isMiscounted ? [MISCOUNTED] : [])];
    return { ...result!, ...historyOf(history), concurrency, target: redactText(url), notes };
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    throw new EngineFailure(
      'tool-failed',
      `${tool} measured nothing at ${concurrency} connections (${exit}): ${redactText(complaint).slice(0, 300)}.`,
      'Run the command that was shown by hand to see why.',
    );
  }
}

function historyOf(history: string | null): Pick<LoadResult, 'overTime'> {
  try {
    const overTime = history === null ? undefined : readLoadResults(history)[0]?.overTime;
    return overTime === undefined ? {} : { overTime };
  } catch (error) {
    // A run of less than a second has no row of all requests.
    if (error instanceof ImportFailure) return {};
    throw error;
  }
}

const refused = (tool: string, concurrency: number, complaint: string): EngineFailure =>
  new EngineFailure(
    'refused',
    `${tool} could not connect at ${concurrency} connections: ${complaint.replace(/^unable to connect to |^Get "[^"]*": /, '').slice(0, 300)}.`,
    'Check that the server listens at this address, also as seen from the machine that sends the requests.',
  );
