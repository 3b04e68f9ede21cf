import type { ProgramStreams } from '#collectors/target/launched-program.ts';
import { programInput, programOutput } from '../output/terminal.ts';

/**
 * Returns this command's own streams, for a program recorded on another machine. Several programs share the outputs,
 * and none of them gets the input.
 */
export function commandStreams(programs: number): ProgramStreams {
  return {
    stdin: programs === 1 ? programInput() : null,
    stdout: (chunk) => programOutput('stdout', chunk),
    stderr: (chunk) => programOutput('stderr', chunk),
  };
}
