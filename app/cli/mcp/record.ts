import { randomUUID } from 'node:crypto';
import { acceptedContent, inputRequired, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';
import { findProcess } from '#collectors/target/processes.ts';
import { captureError } from '../errors.ts';
import { quoted } from './answer.ts';
import type { Session } from './session.ts';

const MAX_SECONDS = 300;
/** Beyond the recording itself: start, reading back and writing. */
const REST_MS = 120_000;
const CONFIRM = z.object({ record: z.boolean() });

const INPUT = z.object({
  pid: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  seconds: z.int().min(1).max(MAX_SECONDS).default(10),
});

type Answer = (lines: () => Promise<readonly string[]>) => Promise<{
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}>;

/**
 * Registers the tool that records a process of this machine. The client's user is shown the exact commands first; without
 * their yes nothing runs. What runs is what was shown: the request is kept here, and the answer names it.
 */
export function registerRecord(server: McpServer, session: Session, library: string, answer: Answer): void {
  const shown = new Map<string, readonly string[]>();
  const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
  const description =
    'Records a process of this machine with perf into the library, after the user has confirmed the commands; returns a handle';
  server.registerTool('record', { description, inputSchema: INPUT, annotations }, async ({ pid, seconds }, context) => {
    const { inputResponses } = context.mcpReq;
    const state = context.mcpReq.requestState();
    const argv = typeof state === 'string' ? shown.get(state) : undefined;
    if (typeof state === 'string') shown.delete(state);
    if (argv === undefined) {
      const made: { plan?: Plan } = {};
      const refused = await answer(async () => {
        made.plan = await planRecording(pid, seconds, library);
        return [];
      });
      if (made.plan === undefined) return refused;
      const token = randomUUID();
      shown.set(token, made.plan.options);
      const { message } = made.plan;
      const confirm = inputRequired.elicit({ message, requestedSchema: CONFIRM });
      return inputRequired({ requestState: token, inputRequests: { confirm } });
    }
    return answer(async () => {
      if (acceptedContent(inputResponses, 'confirm', CONFIRM)?.record !== true)
        throw captureError('the user declined; nothing was recorded', 'do not ask again unless the user wants it');
      const { captures } = await run<Recorded>(argv);
      const opened = await Promise.all(captures.map(({ id }) => session.open(id)));
      return opened.map(({ facts }) => facts);
    });
  });
}

interface Plan {
  /** Of `record`. */
  readonly options: readonly string[];
  /** What the user is asked. */
  readonly message: string;
}

async function processOf(pid: number): Promise<ProcessRow | null> {
  const target = createLocalTarget();
  try {
    return await findProcess(target, pid);
  } finally {
    await target.dispose();
  }
}

/** Plans the recording of this very process: a later one that gets its PID before the user answers is refused. */
async function planRecording(pid: number, seconds: number, library: string): Promise<Plan> {
  const found = await processOf(pid);
  if (found === null) throw captureError(`there is no process ${pid}`, 'choose a running one');
  const { name, startTicks, startedAt } = found;
  const options = [
    'perf',
    `--pid=${pid}`,
    `--start-ticks=${startTicks}`,
    `--seconds=${seconds}`,
    `--library=${library}`,
  ];
  const { hosts } = await run<Planned>([...options, '--dry-run']);
  const commands = hosts.flatMap((host) => host.commands.map(quoteArgv));
  const process = `${pid} (${quoted(name)}, started ${new Date(startedAt).toISOString()})`;
  return {
    options,
    message: `Record process ${process} for ${seconds} s? These commands will run:\n${commands.join('\n')}`,
  };
}

interface Planned {
  readonly hosts: readonly { readonly commands: readonly (readonly string[])[] }[];
}
interface Recorded {
  readonly captures: readonly { readonly id: string }[];
}

/** Runs `record` in a process of its own, whose streams are not the protocol's. */
async function run<T>(options: readonly string[]): Promise<T> {
  const target = createLocalTarget();
  try {
    const argv = [process.execPath, process.argv[1]!, 'record', ...options, '--json'];
    const { stdout, stderr, exit } = await runToEnd(target, argv, { timeoutMs: MAX_SECONDS * 1000 + REST_MS });
    if (exit.code !== 0) throw captureError(stderr.trim().split('\n').at(-1) ?? 'the recording failed', null);
    return JSON.parse(new TextDecoder().decode(stdout)) as T;
  } finally {
    await target.dispose();
  }
}
