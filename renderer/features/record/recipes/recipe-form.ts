import { FUNCTION_NAME, MAX_SCRIPT_CHARACTERS } from '#core/contract/bpftrace.ts';
import { RECIPES, stacksOf, type Recipe } from '#core/contract/recipes.ts';
import type { BpftraceOptions, RecipeId, StackChoice } from '#core/contract/bpftrace.ts';
import type { StapOptions } from '#core/contract/stap.ts';
import { hasLink, isRefusal, NO_DURATION, readProcess, readSeconds, readSides, wholeNumber } from '../form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of bpftrace and of SystemTap, as typed. */
export interface RecipeFields {
  readonly recipe: RecipeId | 'script';
  readonly script: string;
  /** Traces one process, or all of them. */
  readonly traced: BpftraceOptions['scope']['kind'];
  readonly traceRate: string;
  readonly stacks: StackChoice;
  readonly functionToTime: string;
  /** True uses sudo on hosts reached over a link. */
  readonly traceAsRoot: boolean;
  /** True mends a copy of SystemTap's runtime. */
  readonly mend: boolean;
  /** ID of the target on which SystemTap compiles; empty: the recorded one. */
  readonly buildOn: string;
}

type RecipeOptions = BpftraceOptions | StapOptions;

export type RecipeForm = CommonFields & RecipeFields;

export const EMPTY_RECIPE: RecipeFields = {
  recipe: 'off-cpu',
  script: '',
  traced: 'pid',
  traceRate: '99',
  stacks: 'both',
  functionToTime: '',
  traceAsRoot: false,
  mend: false,
  buildOn: '',
};

/** Returns the chosen recipe; null for the user's own script. */
export const chosenRecipe = ({ recipe }: Pick<RecipeFields, 'recipe'>): Recipe | null =>
  recipe === 'script' ? null : RECIPES[recipe];

/** Returns what each target records, or the first invalid field. */
export function readRecipeForm(
  form: RecipeForm,
  collector: RecipeOptions['collector'],
): TargetSides[] | FieldRefusal<RecipeForm> {
  const isInTurn = form.purpose.kind === 'in-turn';
  if (isInTurn && form.traced === 'system') {
    return { field: 'traced', message: 'Alternating sides need two processes, not the whole system.' };
  }
  if (collector === 'stap' && form.recipe !== 'script' && form.traced === 'system') {
    return { field: 'traced', message: 'SystemTap’s recipes record one process; bpftrace records the whole system.' };
  }
  const what = readWhat(form, collector);
  if (isRefusal<RecipeForm>(what)) return what;
  const seconds = readSeconds(form);
  if (seconds === undefined) return NO_DURATION;
  if (seconds === null && (isInTurn || form.repeat.trim() !== '1')) {
    return { field: 'seconds', message: 'Repeated runs need a duration.' };
  }
  const common = {
    collector,
    what,
    seconds,
    ...(form.traceAsRoot && hasLink(form) ? { asRoot: true } : {}),
    ...(form.mend && collector === 'stap' ? { mend: true } : {}),
    ...(form.buildOn !== '' && collector === 'stap' ? { buildOn: form.buildOn } : {}),
  } as const;
  return readSides<RecipeForm>(form, (target, side) => {
    const scope = form.traced === 'system' ? ({ kind: 'system' } as const) : readProcess(form, target, side);
    return isRefusal<RecipeForm>(scope) ? scope : { ...common, scope };
  });
}

function readWhat(
  form: RecipeForm,
  collector: RecipeOptions['collector'],
): BpftraceOptions['what'] | FieldRefusal<RecipeForm> {
  if (form.recipe === 'script') {
    const isTooLong = form.script.length > MAX_SCRIPT_CHARACTERS;
    return form.script.trim() === '' || isTooLong
      ? {
          field: 'script',
          message: `Type a script of at most ${MAX_SCRIPT_CHARACTERS.toLocaleString('en')} characters.`,
        }
      : { kind: 'script', text: form.script };
  }
  const { label, hasFunction, binary, onlyStap }: Recipe = RECIPES[form.recipe];
  if (onlyStap !== null && collector !== 'stap') {
    return { field: 'recipe', message: `${label}: ${onlyStap}. Choose SystemTap.` };
  }
  if (binary !== null && form.traced === 'system') {
    return { field: 'traced', message: `${label} needs a process.` };
  }
  const name = form.functionToTime.trim();
  if (hasFunction && !FUNCTION_NAME.test(name)) {
    return { field: 'functionToTime', message: 'Type the symbol of a function, as nm prints it.' };
  }
  const rateHz = wholeNumber(form.traceRate, 1, 9999);
  if (rateHz === null) {
    return { field: 'traceRate', message: 'Invalid rate: give a whole number from 1 to 9,999 samples per second.' };
  }
  return {
    kind: 'recipe',
    recipe: form.recipe,
    rateHz,
    stacks: stacksOf(RECIPES[form.recipe], form.stacks),
    ...(hasFunction ? { function: name } : {}),
  };
}

/** Returns the fields for these options; the process is chosen separately. */
export function recipeFieldsOf({ what, scope, seconds, asRoot, ...others }: RecipeOptions): Partial<RecipeForm> {
  return {
    traced: scope.kind,
    seconds: seconds === null ? '' : String(seconds),
    traceAsRoot: asRoot === true,
    mend: 'mend' in others && others.mend,
    buildOn: ('buildOn' in others ? others.buildOn : undefined) ?? '',
    ...(what.kind === 'script'
      ? { recipe: 'script', script: what.text }
      : {
          recipe: what.recipe,
          traceRate: String(what.rateHz),
          stacks: what.stacks,
          functionToTime: what.function ?? '',
        }),
  };
}
