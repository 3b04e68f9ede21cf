import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { main } from '#app/cli/main.ts';
import { setManner } from '#app/cli/output/terminal.ts';
import { LAUNCHER, runCli, type CliRun, type CliRunOptions } from './run-cli.ts';

/** The end of the call before; calls share the process's streams. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs the command like {@link runCli}, in this process, which takes a tenth of the time: for tests of what a command
 * reads and prints. With stdin or another Node, it starts a process.
 */
export function callCli(args: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
  if (options.stdin !== undefined || options.node !== undefined) return runCli(args, options);
  const run = previous.then(() => call(args, options));
  previous = run.catch(() => undefined);
  return run;
}

async function call(args: readonly string[], { cwd, env = {} }: CliRunOptions): Promise<CliRun> {
  const written = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const undo = [
    captureWrites(written),
    replace(process.env, env),
    replace(process, { argv: [process.execPath, LAUNCHER, ...args] }),
    keepListeners(process, ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP']),
    keepListeners(process.stdout, ['error']),
    endExitListeners(),
  ];
  const folder = process.cwd();
  try {
    if (cwd !== undefined) process.chdir(cwd);
    setManner({ quiet: false, verbose: false, colour: 'auto' });
    const code = await main(args);
    return { code, stdout: textOf(written.stdout), stderr: textOf(written.stderr) };
  } finally {
    process.chdir(folder);
    for (const one of undo.toReversed()) one();
  }
}

const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();

/** Keeps what is written to stdout and stderr, as text by their streams and as bytes by their descriptors. */
function captureWrites(written: { readonly stdout: Uint8Array[]; readonly stderr: Uint8Array[] }): () => void {
  const byDescriptor = new Map([
    [1, written.stdout],
    [2, written.stderr],
  ]);
  const { writeSync } = fs;
  const undo = [
    replace(fs, {
      writeSync: ((descriptor: number, chunk: Uint8Array, ...rest: never[]) => {
        const chunks = byDescriptor.get(descriptor);
        if (chunks === undefined) return writeSync(descriptor, chunk, ...rest);
        const [offset = 0] = rest as readonly number[];
        chunks.push(Uint8Array.from(chunk.subarray(offset)));
        return chunk.length - offset;
      }) as typeof writeSync,
    }),
    ...(['stdout', 'stderr'] as const).map((name) =>
      replace(process[name], {
        write: (text: string | Uint8Array) => {
          written[name].push(Buffer.from(text as string));
          return true;
        },
      }),
    ),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const one of undo) one();
    syncBuiltinESMExports();
  };
}

/** Sets properties until the returned function is called. */
function replace<T extends object>(owner: T, changes: Partial<T>): () => void {
  const before = Object.keys(changes).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)] as const);
  Object.assign(owner, changes);
  return () => {
    for (const [key, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, descriptor);
    }
  };
}

/** Removes the listeners that were added until the returned function is called. */
/** Does at its end what the command would do as its process exits, such as removing what is temporary. */
function endExitListeners(): () => void {
  const before = new Set(process.listeners('exit'));
  return () => {
    for (const listener of process.rawListeners('exit')) {
      if (before.has(listener as NodeJS.ExitListener) || before.has(unwrapped(listener))) continue;
      process.removeListener('exit', listener as NodeJS.ExitListener);
      Reflect.apply(unwrapped(listener), process, [0]);
    }
  };
}

/** Returns what was given to `once`. */
const unwrapped = (listener: object): NodeJS.ExitListener =>
  ('listener' in listener ? listener.listener : listener) as NodeJS.ExitListener;

function keepListeners(emitter: NodeJS.EventEmitter, events: readonly string[]): () => void {
  const before = new Map(events.map((event) => [event, new Set(emitter.rawListeners(event))]));
  return () => {
    for (const [event, kept] of before) {
      for (const listener of emitter.rawListeners(event)) {
        if (!kept.has(listener)) emitter.removeListener(event, listener as () => void);
      }
    }
  };
}
