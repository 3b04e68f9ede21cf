import type { Browser } from 'playwright';

/** A task's wall and CPU time in ms; other load hardly affects the latter. */
export interface Task {
  readonly wall: number;
  readonly processor: number;
}

/** An event of a trace; durations are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly url?: string } };
}

/** The category of `RunTask` with the fewest other events. */
const TASKS = 'disabled-by-default-devtools.timeline';
/** Holds the trace of a quarter of an hour; Chromium's default of 200 MB does not. */
const BUFFER_KB = 2_000_000;

/** Returns the result of `act`, and the tasks of the browser's pages while it ran. */
export async function tasksWhile<T>(
  browser: Browser,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly tasks: readonly Task[] }> {
  const session = await browser.newBrowserCDPSession();
  const threads = new Map<string, Task[]>();
  const ofPages = new Set<string>();
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as readonly unknown[] as readonly TraceEvent[]) {
      const thread = `${event.pid} ${event.tid}`;
      if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain') ofPages.add(thread);
      if (event.name !== 'RunTask' || event.ph !== 'X') continue;
      const tasks = threads.get(thread) ?? [];
      tasks.push(taskOf(event));
      threads.set(thread, tasks);
    }
  });
  const traceConfig = { includedCategories: [TASKS], traceBufferSizeInKb: BUFFER_KB };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  const result = await act();
  const complete = Promise.withResolvers<boolean>();
  session.once('Tracing.tracingComplete', ({ dataLossOccurred }) => complete.resolve(dataLossOccurred));
  await session.send('Tracing.end');
  if (await complete.promise) throw new Error('the trace is incomplete: its buffer was full');
  return { result, tasks: [...threads].flatMap(([thread, tasks]) => (ofPages.has(thread) ? tasks : [])) };
}

export const taskOf = ({ dur, tdur }: TraceEvent): Task => ({ wall: dur / 1000, processor: (tdur ?? dur) / 1000 });
