import type { Command } from 'commander';
import type { LoadOptions } from '../load/load-options.ts';
import { collect } from '../option-values.ts';

/** Options of `experiment run`. */
export interface RunOptions extends Omit<LoadOptions, 'output' | 'before' | 'after'> {
  /** The report to write at the end. */
  readonly output?: string;
  readonly beforeUrl?: string;
  readonly afterUrl?: string;
  readonly switchBefore?: string;
  readonly switchAfter?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly ready?: string;
  readonly readySeconds?: string;
  readonly yes?: true;
  readonly untilDecided?: string;
  readonly smallerThan?: string;
  readonly minutes?: string;
}

/** Declares what `run` takes, besides the options that all actions share. */
export function declareRunOptions(command: Command): void {
  command
    .option('--before-url <url>', 'for run: the before side runs already, at this address')
    .option('--after-url <url>', 'for run: the after side runs already, at this address')
    .option('--switch-before <command>', 'for run: command line that switches a running server to the before side')
    .option('--switch-after <command>', 'for run: command line that switches it to the after side')
    .option('--yes', 'for run: confirm --switch-before and --switch-after where there is no terminal')
    .option('--cwd <folder>', 'for run: working folder of both commands')
    .option('--env <NAME=VALUE>', 'for run: environment of both commands (repeatable)', collect)
    .option('--ready <url>', 'for run: the server is ready when this answers (default: the URL)')
    .option('--ready-seconds <seconds>', 'for run: time to become ready (default: 30)')
    .option('--repeat <turns>', 'for run: turns of each side, A B B A (default: 5)')
    .option('--until-decided <metric>', 'for run: instead of --repeat, until this metric (cpu, qps, p99…) is decided')
    .option('--smaller-than <percent>', 'for --until-decided: also decided if the change is smaller than this')
    .option('--minutes <minutes>', 'for --until-decided: at most (default: 10)')
    .option('--concurrency <numbers>', 'for run: the steps of each turn, 10,50 (default: 50)')
    .option('--seconds <seconds>', 'for run: duration of a run (default: 10)')
    .option('--warm-up <seconds>', 'for run: load before each run that is not measured (default: 3)')
    .option('--cool-down <seconds>', 'for run: pause between runs (default: 1)')
    .option('--source <target>', 'for run: wrk on this further machine sends at the same moment (repeatable)', collect)
    .option('--tool <tool>', 'for run: wrk (the default), hey or locust')
    .option('--threads <threads>', 'for run: most threads of wrk (default: three per CPU)')
    .option('--header <header>', "for run: 'Name: value' (repeatable)", collect)
    .option('-f, --script <file>', 'for run: Lua script for wrk, or the file of Locust')
    .option('--short-connections', 'for run: a new connection for each request')
    .option('--staircase', 'for run: clients are added gradually in the warm-up, in 5 levels; no pauses')
    .option('--knee-success <percent>', 'for run: least success rate of the knee (default: 99)')
    .option('--knee-latency <ms>', 'for run: most p99 of the knee (default: none)')
    .option(
      '--profile <collector>',
      'for run: perf (the default), pprof, node, java, python, bpftrace, stap or none, within each run; functions are compared at the knee',
    )
    .option(
      '--profile-at <place>',
      'for --profile: each (every run, the default) or knee (one more run of each turn, at the knee of the first turn before)',
    )
    .option(
      '--series <source>',
      'for run: series beside the vitals, as for load run: probe:RATE[,HEADER][,COMPONENT=URL], a Prometheus URL… (repeatable)',
      collect,
    )
    .option(
      '--component <NAME=PID|NAME=:PORT|NAME=GROUP>',
      'for run: names a process of the server, all that listen on a port, or all in a container, pod or systemd unit (repeatable)',
      collect,
    )
    .option('--no-pid', 'for run: watch and record no process')
    .option('--rate <hertz>', 'for --profile: samples per second and CPU, or thread of Python (default: 99, 100)')
    .option('--recipe <recipe>', 'for --profile bpftrace and stap: what to record (default: on-cpu)')
    .option(
      '--fail-on <condition>',
      "for run: exit with 1 if it holds: 'p99 > +10%', 'cpu > +5%' (repeatable)",
      collect,
    )
    .option('--inconclusive <outcome>', 'for --fail-on: pass, fail (exit code 1) or exit5 (the default)')
    .option('--name <name>', 'for run: the name of the experiment')
    .option('--dry-run', 'for run: print what would run, and run nothing');
}
