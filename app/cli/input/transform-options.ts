import type { Command } from 'commander';
import { CODE_KINDS, type CodeKind } from '#core/model/code-kind.ts';
import type { Pattern } from '#core/analyze/search.ts';
import type { FunctionTarget, NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import type { Profile } from '#core/model/profile.ts';
import { checkPattern } from '../check-pattern.ts';
import { usageError } from '../errors.ts';
import { parseSubstitution, splitLabel } from './pattern-text.ts';
import { readOptionFile } from './read-option-file.ts';

/** A transform and where the user gave it. */
export interface GivenTransform {
  readonly transform: NamedTransform;
  /** `--hide`, or `rules.json, transform 3`. */
  readonly name: string;
  /** The text that the user typed; null for one from a file, which may be written for other profiles too. */
  readonly text: string | null;
}

interface TransformOption {
  readonly flags: string;
  readonly help: string;
  parse(text: string, modules: ModuleFinder): NamedTransform;
}

/** Returns the full name of a module from what the user typed. Throws a usage error if there is no such module. */
type ModuleFinder = (name: string) => string;

/** Transforms of functions that a pattern, a module or a kind of code names. */
type OfFunctions =
  | { readonly kind: 'show' | 'focus' | 'hide' | 'drop-without' | 'focus-self' | 'merge' | 'collapse-subtree' }
  | { readonly kind: 'collapse-recursion'; readonly direct: boolean };

const ofFunctions = (name: string, help: string, transform: OfFunctions): TransformOption => ({
  flags: `--${name} <functions>`,
  help,
  parse: (text, modules) => ({ enabled: true, ...transform, on: target(text, modules) }),
});

const OPTIONS: readonly TransformOption[] = [
  ofFunctions('show', 'remove all other functions from stacks', { kind: 'show' }),
  ofFunctions('show-from', 'the same as --focus', { kind: 'focus' }),
  ofFunctions('focus', 'keep stacks with a matching function, starting at the outermost match', { kind: 'focus' }),
  ofFunctions('hide', 'drop stacks with a matching function', { kind: 'hide' }),
  ofFunctions('only', 'keep only stacks with a matching function', { kind: 'drop-without' }),
  ofFunctions('focus-self', 'keep only stacks that end in a matching function', { kind: 'focus-self' }),
  ofFunctions('merge', 'remove matching functions from stacks; their weight goes to their callers', { kind: 'merge' }),
  ofFunctions('collapse-below', 'fold everything that matching functions call into them', { kind: 'collapse-subtree' }),
  ofFunctions('collapse-recursion', 'fold recursive calls into the outermost call', {
    kind: 'collapse-recursion',
    direct: false,
  }),
  ofFunctions('collapse-direct-recursion', 'the same, for direct recursion only', {
    kind: 'collapse-recursion',
    direct: true,
  }),
  {
    flags: '--collapse-module <module>',
    help: 'merge consecutive frames of the module into one; * for every module',
    parse: (text, modules) => ({
      enabled: true,
      kind: 'collapse-module',
      module: text === '*' ? null : modules(text),
    }),
  },
  {
    flags: '--collapse <regex=label>',
    help: 'merge consecutive matching frames into one frame named label',
    parse: (text) => ({ enabled: true, kind: 'collapse-path', ...splitLabel(text), ignoreCase: false }),
  },
  {
    flags: '--rename <s/regex/replacement/>',
    help: 'rename functions; equal names within a module become one function',
    parse: (text) => ({ enabled: true, kind: 'rename', ...parseSubstitution(text) }),
  },
];

const FILE_FLAGS = '--transforms <file>';
const GIVEN = 'givenTransforms';

interface GivenOption {
  readonly name: string;
  readonly text: string;
  readonly option: TransformOption | null;
}

/**
 * Declares the options that transform stacks, except those in `taken`, which have another meaning in this command. They
 * can be repeated, and their order matters.
 */
export function addTransformOptions(command: Command, taken: readonly string[] = []): void {
  const declare = (flags: string, help: string, option: TransformOption | null): void => {
    const name = flags.slice(2, flags.indexOf(' '));
    if (taken.includes(name)) return;
    command.option(flags, help);
    command.on(`option:${name}`, (text: string) => {
      const given: GivenOption = { name: `--${name}`, text, option };
      command.setOptionValue(GIVEN, [...givenOptions(command), given]);
    });
  };
  for (const option of OPTIONS) declare(option.flags, option.help, option);
  declare(FILE_FLAGS, 'transforms as JSON, as the window exports them', null);
  command.addHelpText(
    'after',
    [
      '',
      'Transforms are applied in the order given. <functions> is a regular expression over function names, module:NAME for all',
      'functions of a module (its path, or the last part of it), kind:KIND for all code of a kind, or not-kind:KIND for all other code:',
      `${Object.keys(CODE_KINDS).join(', ')}.`,
    ].join('\n'),
  );
}

function givenOptions(command: Command): readonly GivenOption[] {
  return (command.getOptionValue(GIVEN) as readonly GivenOption[] | undefined) ?? [];
}

/** Returns the command's transforms in order, for this profile. Patterns are compiled but not run. */
export async function givenTransforms(
  command: Command,
  profile: Profile,
  modules: ModuleFinder = (name) => moduleNamed(profile, name),
): Promise<GivenTransform[]> {
  const given: GivenTransform[] = [];
  for (const { name, text, option } of givenOptions(command)) {
    if (option === null) given.push(...(await fileTransforms(text)));
    else given.push({ transform: option.parse(text, modules), name, text });
  }
  for (const { transform, name } of given) {
    const pattern = patternOf(transform);
    if (pattern !== null) checkPattern(pattern.pattern, name);
  }
  return given;
}

/**
 * Reads a file of transforms, which is untrusted. Throws a usage error that names the first invalid part. Loads the
 * schema, which is slow, only here.
 */
async function fileTransforms(path: string): Promise<GivenTransform[]> {
  const { parseTransforms } = await import('#core/analyze/transforms/transform-schema.ts');
  const text = readOptionFile(path);
  try {
    return parseTransforms(text).map((transform, index) => ({
      transform,
      name: `${path}, transform ${index + 1}`,
      text: null,
    }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(`${path} is ${error.message}`, 'give a JSON list of transforms, see docs/cli.md');
  }
}

/** Returns the user's pattern in a transform, the same object that the pattern runner receives. */
export function patternOf(transform: NamedTransform): Pattern | null {
  if ('pattern' in transform) return transform;
  return 'on' in transform && transform.on.by === 'pattern' ? transform.on : null;
}

const MODULE_PREFIX = 'module:';

const KIND = /^(not-)?kind:(.*)$/s;

function target(text: string, modules: ModuleFinder): FunctionTarget {
  const [, others, code] = KIND.exec(text) ?? [];
  if (code !== undefined) return { by: 'kind', code: codeNamed(code), others: others !== undefined };
  if (!text.startsWith(MODULE_PREFIX)) return { by: 'pattern', pattern: text, ignoreCase: false };
  return { by: 'module', module: modules(text.slice(MODULE_PREFIX.length)) };
}

function codeNamed(name: string): CodeKind {
  if (Object.hasOwn(CODE_KINDS, name)) return name as CodeKind;
  throw usageError(`unknown kind of code '${name}'`, `use one of ${Object.keys(CODE_KINDS).join(', ')}`);
}

/** Number of modules that an error lists. */
const LISTED = 5;

/** Returns a finder for one of several profiles; a module that only others have matches none of its modules. */
export const moduleAmong =
  (profile: Profile, profiles: readonly Profile[]): ModuleFinder =>
  (name) =>
    modulesNamed(profile, name).length === 0 && profiles.some((other) => modulesNamed(other, name).length > 0)
      ? name
      : moduleNamed(profile, name);

function moduleNamed(profile: Profile, name: string): string {
  const found = modulesNamed(profile, name);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw usageError(`several modules match '${name}' in this profile`, listed(found));
  throw usageError(`no module '${name}' in this profile`, listed([...moduleNames(profile)].filter(Boolean)));
}

/** Returns the module with that path, else those whose path ends with it. */
function modulesNamed(profile: Profile, name: string): readonly string[] {
  const modules = moduleNames(profile);
  return modules.has(name) ? [name] : [...modules].filter((module) => module.endsWith(`/${name}`));
}

const moduleNames = ({ strings, functions }: Profile): Set<string> =>
  new Set(Array.from(functions.module, (row) => strings[row]!));

function listed(modules: readonly string[]): string {
  if (modules.length === 0) return 'the profile names no modules';
  const more = modules.length > LISTED ? ` and ${modules.length - LISTED} more` : '';
  return `use one of ${modules.slice(0, LISTED).join(', ')}${more}`;
}
