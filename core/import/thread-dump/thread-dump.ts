import type { Importer } from '../importer.ts';
import { byLine } from '../text/line-session.ts';

/** Stacks of all threads at one moment, as jstack, gdb, eu-stack and `py-spy dump` print them; one dump or several. */
export const threadDumpImporter: Importer = {
  id: 'thread-dump',
  label: 'Thread dumps (jstack, gdb, eu-stack, py-spy)',
  extensions: ['jstack', 'tdump', 'threads.txt', 'txt'],
  keeps:
    'threads with stacks, addresses, modules, files and lines; states and what a thread waits for as labels; the order of dumps, and their times if they have any',
  loses:
    'arguments and variables, monitors that a thread holds, deadlock reports; threads without a stack and lines outside of stacks, which are counted',
  recognizedBy:
    '`Full thread dump`, `java.lang.Thread.State:`, `Thread 1 (Thread 0x… (LWP …)):`, `PID … - process` or py-spy’s `Process …:`',
  specification: 'https://docs.oracle.com/en/java/javase/21/docs/specs/man/jstack.html',
  sniff: ({ text }) => (IN_HEAD.test(text) ? 'yes' : 'no'),
  start: async () => byLine(new (await import('./session.ts')).ThreadDumpSession()),
};

const IN_HEAD =
  /^(?:Full thread dump \S| {3}java\.lang\.Thread\.State: [A-Z]|Thread \d+ \((?:Thread 0x[0-9a-f]+ \(|LWP \d|process \d)|PID \d+ - (?:process|core)\r?\nTID \d|Process \d+: .*\r?\nPython v\d)/m;
