import { basename } from 'node:path';
import type { Command } from 'commander';
import { functionRef } from '#core/analyze/function-ref.ts';
import { LOCAL_TARGET } from '#core/contract/target-id.ts';
import type { Side } from '#core/contract/side.ts';
import type { Target } from '#collectors/target/target.ts';
import { openExperiments } from '#app/engine/experiments/experiments.ts';
import { defaultLibraryPath } from '#app/engine/library/library-path.ts';
import { openLibrary } from '#app/engine/library/library.ts';
import { checkPattern } from '../check-pattern.ts';
import { judgeExperiment, type Judged } from '../ci/judge.ts';
import { recordPairs, type RecordingPlace } from '../ci/record-pairs.ts';
import { openRepository, type Repository } from '../ci/repository.ts';
import { build, runsIn } from '../ci/sides.ts';
import { writeFinding } from '../ci/write-finding.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { CliError, usageError } from '../errors.ts';
import { matchingFunctions } from '../input/matching-functions.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { LIBRARY_OPTION } from '../library/library-option.ts';
import { jsonText } from '../output/json-text.ts';
import { FORCE_OPTION } from '../output/output-file.ts';
import { print, say, warn } from '../output/terminal.ts';
import { numberOption, wholeNumberOption } from '../option-values.ts';
import { withTargets } from '../targets/cli-targets.ts';
import { changePoint, credible, MOST_ENDS_LOOKS, nextPlace, type Pair } from './change-point.ts';
import { openKeptBuilds, type KeptBuilds } from './kept-builds.ts';
import {
  bisectAsJson,
  bisectAsText,
  changeText,
  LAST_STEP,
  rangeText,
  type BisectResult,
  type HistoryCommit,
} from './print.ts';
import { readBisectState, writeBisectState, type BisectState } from './state.ts';
import type { PatternRunner } from '#core/analyze/transforms/resolve-transforms.ts';
import type { Comparison } from '#core/compare/comparison.ts';

interface BisectFlags {
  readonly build?: string;
  readonly function?: string;
  readonly error: number;
  readonly minutes: number;
  readonly rate: number;
  readonly state?: string;
  readonly html?: string;
  readonly json?: true;
  readonly force?: true;
  readonly library?: string;
}

export const bisectCommand: CliCommand = {
  configure(command: Command): void {
    command
      .argument('<good>', 'an ancestor of BAD that is as fast as it should be')
      .argument('<bad>', 'a commit that is slower')
      .argument('[command...]', 'after --: the benchmark, run in the root of each checkout')
      .option('--build <line>', 'line for sh that builds a checkout, in its root and without secrets')
      .option('--function <regex>', 'functions whose self weight counts (default: the whole run)')
      .option(
        '--error <percent>',
        'probability of a wrong answer that is accepted, in %',
        numberOption('a percentage', 0.1, 50),
        5,
      )
      .option('--minutes <minutes>', 'time after which it ends undecided', numberOption('minutes', 0, 10_000), 240)
      .option('--rate <hertz>', 'samples per second and CPU', wholeNumberOption(1, 50_000), 999)
      .option(
        '--state <file>',
        'keep results here, and builds in the cache, to resume after an interruption; created if missing',
      )
      .option('--html <file>', 'write the report of the named commit and its parent')
      .option('--json', 'print JSON')
      .option(...FORCE_OPTION)
      .option(...LIBRARY_OPTION)
      .addHelpText('after', '\nExit codes: 0 a commit is named, 5 undecided, 4 an end does not build or run.');
  },

  async run(command: Command): Promise<ExitCode> {
    const flags = command.opts<BisectFlags>();
    try {
      const result = await bisect(command);
      const experimentId = result.named?.experimentId ?? null;
      if (flags.html !== undefined) {
        if (experimentId === null) warn('no commit is named, so no report is written');
        else await writeFinding(experimentId, flags.html, flags);
      }
      print(flags.json === true ? jsonText(bisectAsJson(result)) : bisectAsText(result));
      return result.named === null ? ExitCode.inconclusive : ExitCode.ok;
    } catch (error) {
      throw toCliError(error);
    }
  },
};

/** Pairs of runs by which a commit is tested each time. */
const STEP = 4;
async function bisect(command: Command): Promise<BisectResult> {
  const [goodRef, badRef, ...argv] = command.args as [string, string, ...string[]];
  const flags = command.opts<BisectFlags>();
  if (argv.length === 0) throw usageError('no benchmark', 'give its command after --');
  const pattern = flags.function ?? null;
  if (pattern !== null) checkPattern(pattern, '--function');
  const patterns = createLimitedPatternRunner(() => '--function');
  return withTargets(async (targets) => {
    const target = await targets.open(LOCAL_TARGET);
    const repository = await openRepository(target, process.cwd());
    const [good, bad] = [await repository.commit(goodRef), await repository.commit(badRef)];
    const commits = await repository.history(good, bad);
    if (commits === null)
      throw usageError(`${goodRef} is no ancestor of ${badRef}`, 'name an older commit that is good');
    if (commits.length === 0) throw usageError(`${goodRef} and ${badRef} are one commit`, 'name two');
    const subject = JSON.stringify([good.hash, bad.hash, flags.build ?? null, flags.function ?? null, argv]);
    let state = readBisectState(flags.state ?? null, subject);
    const update = (changes: Partial<BisectState>): BisectState => {
      state = { ...state, ...changes };
      writeBisectState(flags.state ?? null, state);
      return state;
    };
    const kept =
      flags.state === undefined ? null : await openKeptBuilds(state.builds ?? {}, (builds) => void update({ builds }));
    const library = await openLibrary(flags.library ?? defaultLibraryPath());
    try {
      const experiments = await openExperiments(library);
      const place: RecordingPlace = { library, experiments, targets, rateHz: flags.rate };
      const folders = buildFolders(target, repository, flags.build ?? null, kept);
      let isFirst = true;
      const compare = async (
        before: string,
        after: string,
        pairs: number,
      ): Promise<Judged & { experimentId: string }> => {
        const inFolder = async (hash: string): Promise<string[]> => runsIn(await folders(hash), argv, process.env);
        const sides = { before: await inFolder(before), after: await inFolder(after) };
        const id = await recordPairs(
          place,
          { name: basename(argv[0]!), argv: sides, failOn: null },
          pairs,
          null,
          isFirst,
        );
        isFirst = false;
        return { ...(await judgeExperiment(id, [], flags.library)), experimentId: id };
      };
      const recordedPairs = async ({ hash, short }: HistoryCommit): Promise<Pair[]> => {
        const { comparison } = await compare(good.hash, hash, STEP);
        const pairs = await pairsOf(comparison, pattern, patterns);
        if (pairs === null) throw usageError(`${flags.function} matches no function of ${short} with weight`);
        return pairs;
      };
      const until = performance.now() + flags.minutes * 60_000;
      const search = { commits, error: flags.error / 100, isOver: () => performance.now() > until };
      const ended = await searchHistory(search, state, async (at, isEnd) => {
        const { hash, short } = commits[at]!;
        say(`testing ${short}, ${at + 1} of ${commits.length}`);
        const pairs = await recordedPairs(commits[at]!).catch((error: unknown) => {
          // A commit in between may be broken; without an end there is nothing to bisect.
          if (error instanceof CliError && !isEnd) return error;
          throw error;
        });
        if (!(pairs instanceof CliError)) return update({ tested: [...state.tested, { hash, pairs }] });
        say(`${short} is skipped: ${pairs.message}`);
        return update({ skipped: [...state.skipped, { hash, why: pairs.message }] });
      });
      const { range } = ended;
      const at = range !== null && range[0] === range[1] ? range[0] : null;
      const parent = at === null || at === 0 ? good : commits[at - 1]!;
      const isComparable = at !== null && !state.skipped.some(({ hash }) => hash === parent.hash);
      const named = async (commit: HistoryCommit): Promise<BisectResult['named']> => {
        const judged = await compare(isComparable ? parent.hash : good.hash, commit.hash, LAST_STEP);
        const asked = pattern === null ? [] : await matchingFunctions(judged.comparison, pattern, patterns);
        const { table } = judged.comparison.matched;
        return {
          ...judged,
          commit,
          changed: await repository.changedLines(parent, commit),
          asked: asked.map((func) => functionRef(table, func).name),
        };
      };
      const uncommitted = await repository.uncommitted();
      const found = at === null ? null : await named(commits[at]!);
      if (found !== null) await kept?.remove();
      return { commits, ...ended, error: search.error, state, named: found, uncommitted };
    } finally {
      await kept?.close();
      library.close();
    }
  });
}

interface Search {
  readonly commits: readonly HistoryCommit[];
  readonly error: number;
  readonly isOver: () => boolean;
}

/** Tests commits until one has the probability, nothing tells the others apart, or the time is over. */
async function searchHistory(
  { commits, error, isOver }: Search,
  initial: BisectState,
  test: (place: number, isEnd: boolean) => Promise<BisectState>,
): Promise<Pick<BisectResult, 'found' | 'range'>> {
  const last = commits.length - 1;
  const placeOf = new Map(commits.map(({ hash }, place) => [hash, place]));
  let state = initial;
  for (;;) {
    const tested = state.tested.flatMap(({ hash, pairs }) => {
      const place = placeOf.get(hash);
      return place === undefined ? [] : [{ place, pairs }];
    });
    const skipped = new Set(state.skipped.flatMap(({ hash }) => placeOf.get(hash) ?? []));
    const found = changePoint(commits.length, tested);
    if (found === null || !found.isShown) {
      const looks = tested.filter(({ place }) => place === last).length;
      if (looks >= MOST_ENDS_LOOKS || isOver()) return { found, range: null };
      state = await test(last, true);
      continue;
    }
    const range = credible(found.posterior, 1 - error);
    const next = nextPlace(found.posterior, skipped);
    if (range[0] === range[1] || next === null || isOver()) return { found, range };
    say(`change ${changeText(found.change)}; most likely in ${rangeText(commits, range)}`);
    state = await test(next, false);
  }
}

/** Returns a function that checks out and builds a commit once; `kept`: unless an earlier process did. */
function buildFolders(
  target: Target,
  repository: Repository,
  line: string | null,
  kept: KeptBuilds | null,
): (hash: string) => Promise<string> {
  const built = new Map<string, Promise<string>>();
  const make = async (hash: string): Promise<string> => {
    const complete = kept?.find(hash) ?? null;
    if (complete !== null) return complete;
    const commit = await repository.commit(hash);
    const folder = await repository.checkOut(commit, await kept?.makeFolder(hash));
    if (line !== null) await build(target, { folder, line, what: commit.short });
    kept?.keep(hash);
    return folder;
  };
  return (hash) => {
    const known = built.get(hash) ?? make(hash);
    built.set(hash, known);
    return known;
  };
}

/**
 * Returns the value of each run in pairs of neighbours: CPU time of the whole run; with a pattern, the self weights of the
 * functions that match, together. Null if a side lacks them.
 */
async function pairsOf(
  comparison: Comparison,
  pattern: string | null,
  patterns: PatternRunner,
): Promise<Pair[] | null> {
  const functions = pattern === null ? null : await matchingFunctions(comparison, pattern, patterns);
  const values = (side: Side): number[] =>
    comparison[side].captures.map((_, capture) => {
      if (functions === null) return comparison[side].totals[capture]!;
      const { captures, value } = comparison.metrics.self[side];
      return functions.reduce((sum, func) => sum + value[func * captures.length + capture]!, 0);
    });
  const [good, tested] = [values('before'), values('after')];
  const pairs = good.slice(0, tested.length).map((one, place): Pair => ({ good: one, tested: tested[place]! }));
  return pairs.length > 0 && pairs.every((pair) => pair.good > 0 && pair.tested > 0) ? pairs : null;
}
