import type { StackView } from '../../analyze/view/stack-view.ts';
import type { CaptureFacts } from '../measure/capture-facts.ts';

/** The programs that a capture recorded, as modules named by its functions. */
export interface CapturePrograms {
  /** Modules of the one program that was recorded; empty if there are several or it is unknown. */
  readonly recorded: readonly string[];
  /** Modules of all programs whose threads were sampled. */
  readonly executables: readonly string[];
}

/** Information from which a capture's programs are determined. */
export interface ProgramFacts {
  readonly view: StackView;
  readonly facts?: Pick<CaptureFacts, 'program' | 'isSystemWide'>;
}

/** Programs that start the recorded one; threads' names then say which one that is. */
const LAUNCHERS: ReadonlySet<string> = new Set(
  'sh bash dash zsh ash busybox env nice ionice chrt taskset numactl timeout time stdbuf setsid nohup sudo unshare chroot xargs'.split(
    ' ',
  ),
);

/** Linux truncates thread names to 15 bytes (TASK_COMM_LEN). */
const COMM_LENGTH = 15;

/** Programs with a smaller share of the samples only started or ended the recorded one. */
const LEAST_SHARE = 0.01;

/**
 * Finds the recorded program: from the capture's document, otherwise from the file (perf.data's first executable
 * mapping, pprof's first mapping), otherwise from the threads' names, which are the name of the program's file unless
 * the program changes them.
 */
export function capturePrograms({ view, facts }: ProgramFacts): CapturePrograms {
  const modules = modulesOf(view);
  const byName = modulesByThreadName(view, modules);
  const executables = [...byName.keys()];
  if (facts?.isSystemWide === true || /\s(?:-a|--all-cpus)\b/.test(view.profile.metadata.command ?? '')) {
    return { recorded: [], executables };
  }
  for (const path of [facts?.program, view.profile.metadata.executable]) {
    if (path === undefined || LAUNCHERS.has(programName(path))) continue;
    const recorded = modulesOfProgram(path, modules);
    if (recorded.length > 0) return { recorded, executables: [...new Set([...recorded, ...executables])] };
  }
  const total = [...byName.values()].reduce((sum, samples) => sum + samples, 0);
  const main = [...byName].flatMap(([module, samples]) => (samples >= LEAST_SHARE * total ? [module] : []));
  const isOne = new Set(main.map(fileName)).size === 1;
  return { recorded: isOne ? main : [], executables };
}

/** Returns a path's file name, without the suffix that the kernel adds if the file was deleted. */
export function fileName(path: string): string {
  const kept = path.replace(/ \(deleted\)$/, '');
  return kept.slice(kept.search(/[^/\\]*$/)) || kept;
}

/** Versions, dates, commits and platforms at the end of builds' names. */
const BUILD_SUFFIX =
  /[-_.+~](?:v?\d+(?:\.\d+)*(?:[-_.+~]?(?:rc|alpha|beta|pre|dev|p|r)\.?\d*)?|(?=[a-f]*\d)g?[0-9a-f]{7,40}|(?:linux|darwin|windows)[-_](?:amd64|x86[-_]64|arm64|aarch64))$/i;

/**
 * Returns the name that two builds of a program share: `server` for `/opt/server-1.2 (deleted)` and nix's
 * `.server-wrapped`.
 */
export function programName(path: string): string {
  let name = fileName(path)
    .replace(/^\.(.+)-wrapped_*$/, '$1')
    .replace(/\.exe$/i, '');
  // A longer name can't be a file's (NAME_MAX).
  while (name.length <= 255) {
    const shorter = name.replace(BUILD_SUFFIX, '');
    if (shorter === name || !/\p{L}/u.test(shorter)) return name;
    name = shorter;
  }
  return name;
}

/** Returns the modules of the functions that the view shows, except the kernel's and unknown ones. */
function modulesOf({ profile, func }: StackView): string[] {
  const { strings, functions } = profile;
  const rows = new Set<number>();
  for (const one of func) rows.add(functions.module[one]!);
  return [...rows].map((row) => strings[row]!).filter((module) => module !== '' && !module.startsWith('['));
}

/**
 * Returns the path itself if it is a module, otherwise the modules with its file name, otherwise those with its name
 * ignoring the version.
 */
function modulesOfProgram(path: string, modules: readonly string[]): string[] {
  const [file, name] = [fileName(path), programName(path)];
  const called = modules.filter((module) => fileName(module) === file);
  if (called.length > 0) return called;
  const alike = modules.filter((module) => programName(module) === name);
  return new Set(alike.map(fileName)).size === 1 ? alike : [];
}

/** Returns, for each module that a thread is named after, the number of samples of such threads. */
function modulesByThreadName({ profile, selection }: StackView, modules: readonly string[]): Map<string, number> {
  const { samples, threads, strings } = profile;
  const perThread = new Float64Array(threads.length);
  for (let sample = 0; sample < samples.length; sample++) perThread[samples.thread[sample]!]! += 1;
  const perName = new Map<string, number>();
  const isSelected = selection.threads === null ? null : new Set<number>(selection.threads);
  perThread.forEach((count, thread) => {
    const name = strings[threads.name[thread]!]!;
    if (count === 0 || name === '' || isSelected?.has(thread) === false) return;
    perName.set(name, (perName.get(name) ?? 0) + count);
  });
  const found = new Map<string, number>();
  for (const [comm, count] of perName) {
    for (const module of modules) if (isNamedAfter(comm, module)) found.set(module, (found.get(module) ?? 0) + count);
  }
  return found;
}

function isNamedAfter(comm: string, module: string): boolean {
  const file = fileName(module);
  if (comm === file || (comm.length >= COMM_LENGTH && file.startsWith(comm))) return true;
  return programName(comm) === programName(file);
}
