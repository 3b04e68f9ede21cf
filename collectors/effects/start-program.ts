import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';

/**
 * The one module that starts programs of this machine. All take a program and its arguments, which no shell reads;
 * shell texts are files (`*.sh`) that are passed as one argument, with their parameters after it. Programs on targets
 * start through `Target.run`.
 */
export { execFile as runProgram, execFileSync as runProgramNow, spawn as startProgram, spawnSync as finishProgram };
export type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
