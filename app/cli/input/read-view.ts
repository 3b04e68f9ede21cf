import { Option, type Command } from 'commander';
import { csvOption } from '../output/csv-rows.ts';
import { GRANULARITIES, type Granularity } from '#core/analyze/reading/granularity.ts';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import { labelKeys, wholeWeight } from '#core/analyze/reading/labels.ts';
import { readProfile, type Reading } from '#core/analyze/reading/reading.ts';
import { BaseError, subtractBase } from '#core/analyze/reading/subtract-base.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import type { Profile } from '#core/model/profile.ts';
import { inInput, usageError } from '../errors.ts';
import { warn } from '../output/terminal.ts';
import { applyTransforms, type AppliedTransforms } from './apply-transforms.ts';
import { chooseTime } from './choose-time.ts';
import { noteEmpty } from './choose-value-type.ts';
import { findInput, type FoundInput } from '../library/find-input.ts';
import {
  addInputOptions,
  addSelectionOptions,
  chooseSelection,
  type InputOptions,
  type SelectionOptions,
} from './input-options.ts';
import { createLimitedPatternRunner } from './pattern-runner.ts';
import { readInput } from './read-input.ts';
import { addTransformOptions, givenTransforms } from './transform-options.ts';

/** The options that `top`, `peek`, `traces`, `list` and `tags` share. */
export interface ViewOptions extends InputOptions, SelectionOptions {
  readonly granularity?: Granularity;
  readonly noinlines?: true;
  readonly tagfocus?: string;
  readonly tagignore?: string;
  readonly tagroot?: string;
  readonly tagleaf?: string;
  readonly base?: string;
  readonly diffBase?: string;
  readonly json?: true;
  readonly csv?: true;
}

/** A profile with the options applied. */
export interface ReadView {
  readonly found: FoundInput;
  /** The profile as read from the file. */
  readonly recorded: Profile;
  readonly profile: Profile;
  /** Function names by index, as patterns match them. */
  readonly names: readonly string[];
  readonly selection: Selection;
  readonly applied: AppliedTransforms;
  /** Shares are of this weight. */
  readonly whole: number;
}

export function addViewOptions(command: Command): void {
  addSelectionOptions(command)
    .addOption(new Option('--granularity <rows>', 'what a row represents').choices(GRANULARITIES))
    .option('--noinlines', 'count inlined functions as part of their caller')
    .option('--tagfocus <filter>', 'keep samples with a matching label: regex, key=regex, or a number range (4mb:16mb)')
    .option('--tagignore <filter>', 'drop samples with a matching label')
    .option('--tagroot <keys>', 'add frames for the values of these labels at the root; keys separated by commas')
    .option('--tagleaf <keys>', 'the same, at the leaf')
    .addOption(new Option('--base <in>', 'subtract this profile').conflicts('diffBase'))
    .option('--diff-base <in>', 'subtract this profile; shares are relative to it')
    .option('--json', 'print JSON')
    .addOption(csvOption());
  addInputOptions(command);
  addTransformOptions(command);
}

/** Reads the profile that a word names; the command's first argument by default. */
export async function readView(command: Command, word = command.args[0]!): Promise<ReadView> {
  const options = command.opts<ViewOptions>();
  const found = await findInput(word, options.library);
  const recorded = await readInput(found.path, options, found.mayReadHere);
  const profile = await withBase(recorded, options);
  const reading = readingOf(options);
  const runner = createLimitedPatternRunner(() => 'a label filter');
  const read = await readProfile(profile, reading, runner);
  const { type, thread, time } = options;
  const selection = chooseSelection(profile, { type, thread, time: hasBase(options) ? undefined : time });
  refuseUnknownKeys(profile, selection, reading);
  if (read.kept !== null && !read.kept.includes(1)) {
    const keys = labelKeys(profile, selection);
    const remedy = keys.length === 0 ? 'no sample in this profile has labels' : `it has labels ${keys.join(', ')}`;
    throw usageError('the label filters match no samples', remedy);
  }
  const applied = await applyTransforms(read.profile, await givenTransforms(command, read.profile), read.names);
  noteEmpty(applied.profile, selection, applied.resolved);
  return {
    found,
    recorded,
    profile: applied.profile,
    names: applied.names,
    selection,
    applied,
    whole: wholeWeight(profile, selection),
  };
}

function readingOf({ granularity, noinlines, tagfocus, tagignore, tagroot, tagleaf }: ViewOptions): Reading {
  return {
    granularity: granularity ?? null,
    inlines: noinlines !== true,
    labelFocus: tagfocus === undefined ? null : parseLabelFilter(tagfocus),
    labelIgnore: tagignore === undefined ? null : parseLabelFilter(tagignore),
    labelRoots: splitKeys(tagroot),
    labelLeaves: splitKeys(tagleaf),
  };
}

const splitKeys = (text = ''): string[] => text.split(',').filter((key) => key !== '');

function refuseUnknownKeys(profile: Profile, selection: Selection, { labelRoots, labelLeaves }: Reading): void {
  const wanted = [...labelRoots, ...labelLeaves];
  if (wanted.length === 0) return;
  const keys = labelKeys(profile, selection);
  if (wanted.some((key) => keys.includes(key))) return;
  const remedy = keys.length === 0 ? 'no sample in this profile has labels' : `it has ${keys.join(', ')}`;
  throw usageError(`no sample has a label ${wanted.join(' or ')}`, remedy);
}

const hasBase = ({ base, diffBase }: ViewOptions): boolean => (base ?? diffBase) !== undefined;

/** Returns the difference to the base; of the chosen time of both profiles, because a difference has no times. */
async function withBase(profile: Profile, options: ViewOptions): Promise<Profile> {
  const word = options.diffBase ?? options.base;
  if (word === undefined) return profile;
  const { path, mayReadHere } = await findInput(word, options.library);
  const base = await readInput(path, options, mayReadHere);
  const ofBase = inInput(path, () => chooseTime(base, options.time));
  const ranges = [chooseTime(profile, options.time), ofBase] as const;
  if (options.time !== undefined) warn(`time ${options.time}: of the profile and of its base`);
  try {
    return subtractBase(profile, base, options.diffBase !== undefined, ranges);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw usageError(`${path}: ${error.message}`, 'the base must be a profile of the same kind');
  }
}
