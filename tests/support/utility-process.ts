import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';

const PORT = [
  "import { EventEmitter } from 'node:events';",
  'process.parentPort = Object.assign(new EventEmitter(), { postMessage: (message) => process.send(message) });',
  "process.on('message', (data) => process.parentPort.emit('message', { data }));",
  "process.on('disconnect', () => process.exit());",
].join('\n');

/**
 * Starts a program as Electron's `utilityProcess.fork` does, as documented, in Node with an IPC channel: it has
 * `process.parentPort`, and ends with its parent.
 */
export function forkUtility(
  script: string,
  args: readonly string[],
  options: ForkOptions = {},
): ChildProcess & { postMessage(message: object): void } {
  const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(PORT)}`];
  const child = fork(script, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], ...options, execArgv });
  return Object.assign(child, { postMessage: (message: object) => void child.send(message) });
}
