import type { ReactElement, ReactNode } from 'react';
import { RECIPE_IDS, type StackChoice } from '#core/contract/bpftrace.ts';
import { RECIPES } from '#core/contract/recipes.ts';
import { Segments } from '../../../ui/fields/segments.tsx';
import { Choice, textFields, type PageProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import { ProcessFields } from '../process-fields.tsx';
import { chosenRecipe, type RecipeForm } from './recipe-form.ts';
import { LinesField, SelectField } from '../../../ui/fields/labelled-fields.tsx';

type RecipePageProps = PageProps<RecipeForm>;

export function RecipeScope({ form, onChange }: RecipePageProps): ReactElement {
  return (
    <Segments
      label="What to record"
      value={form.traced}
      options={[
        { value: 'pid', label: 'Process' },
        { value: 'system', label: 'Whole system' },
      ]}
      onChange={(traced) => onChange({ traced })}
    />
  );
}

/** What differs between the tools that run recipes. */
interface ToolProps {
  readonly tool: {
    readonly rootHint: string;
    /** Name of the PID in a script. */
    readonly processName: string;
    readonly scriptExample: string;
    /** It compiles: elsewhere, if wanted, and with a runtime that is mended for kernels on which it fails. */
    readonly compiles: boolean;
  };
}

const BPFTRACE: ToolProps['tool'] = {
  rootHint: 'bpftrace runs only as root; sudo’s prompt appears here',
  processName: '$1',
  scriptExample: 'profile:hz:99 /pid == $1/ { @[ustack] = count(); }',
  compiles: false,
};

const STAP: ToolProps['tool'] = {
  rootHint: 'needed unless the user is in stapusr and stapdev; sudo’s prompt appears here',
  processName: 'target()',
  scriptExample: 'probe timer.profile { if (pid() == target()) { print_ubacktrace(); println("\\t1") } }',
  compiles: true,
};

type WithChildren = RecipePageProps & { readonly children: ReactNode };

export const BpftracePage = (props: WithChildren): ReactElement => <RecipePage {...props} tool={BPFTRACE} />;
export const StapPage = (props: WithChildren): ReactElement => <RecipePage {...props} tool={STAP} />;

const QUESTIONS: readonly { readonly value: RecipeForm['recipe']; readonly label: string }[] = [
  ...RECIPE_IDS.map((id) => ({ value: id, label: `${RECIPES[id].question} – ${RECIPES[id].label}` })),
  { value: 'script', label: 'Something else – your own script' },
];

/** The question comes first, because users know what they want to find out before they know the probe. */
function RecipePage({ tool, ...props }: WithChildren & ToolProps): ReactElement {
  const { form, rows, wrongField, onChange, children } = props;
  const recipe = chosenRecipe(form);
  const text = textFields<'traceRate' | 'seconds' | 'functionToTime'>(props);
  return (
    <>
      {form.traced === 'pid' ? (
        <ProcessFields form={form} rows={rows} onChange={onChange} />
      ) : (
        <p className="panel-hint record-command">Every process on every CPU of the target, the kernel included.</p>
      )}
      <div className="record-options">
        <SelectField
          label="Question"
          wide
          value={form.recipe}
          options={QUESTIONS}
          onChange={(chosen) => onChange({ recipe: chosen })}
        />
        {recipe === null && (
          <LinesField
            label={`Script; prints stacks with counts. ${tool.processName} is the process, 0 for all`}
            wide
            rows={5}
            value={form.script}
            placeholder={tool.scriptExample}
            isWrong={wrongField === 'script' && form.script !== ''}
            onChange={(script) => onChange({ script })}
          />
        )}
        {recipe?.hasFunction === true &&
          text('functionToTime', 'Function', {
            wide: true,
            placeholder: 'a symbol of the executable, as nm prints it',
          })}
        {recipe?.hasRate === true && text('traceRate', 'Rate', { numeric: true, unit: 'Hz' })}
        {text('seconds', 'Duration', { numeric: true, unit: 's', placeholder: 'until stopped' })}
        {recipe !== null && recipe.stacks.length > 1 && <StacksField {...props} choices={recipe.stacks} />}
        {children}
        {tool.compiles && (
          <SelectField
            label="Compile on"
            value={form.buildOn}
            options={[{ value: '', label: 'the target' }, ...rows.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(buildOn) => onChange({ buildOn })}
          />
        )}
        {tool.compiles && (
          <Choice
            checked={form.mend}
            label="Patch SystemTap"
            hint="compiles with a private copy of its runtime, patched for the kernel: 4.8 on 6.1, 5.1 on 6.12"
            onChange={(mend) => onChange({ mend })}
          />
        )}
        {hasLink(form) && (
          <Choice
            checked={form.traceAsRoot}
            label="As root, with sudo"
            hint={tool.rootHint}
            onChange={(traceAsRoot) => onChange({ traceAsRoot })}
          />
        )}
      </div>
    </>
  );
}

function StacksField({
  form,
  choices,
  onChange,
}: RecipePageProps & { readonly choices: readonly StackChoice[] }): ReactElement {
  const isLua = choices.includes('lua');
  const labels: Readonly<Record<StackChoice, string>> = {
    both: isLua ? 'Lua, C and kernel' : 'kernel and user',
    user: isLua ? 'Lua and C' : 'user',
    kernel: 'kernel',
    lua: 'only Lua',
  };
  return (
    <SelectField
      label="Stacks"
      value={choices.includes(form.stacks) ? form.stacks : choices[0]!}
      options={choices.map((value) => ({ value, label: labels[value] }))}
      onChange={(stacks) => onChange({ stacks })}
    />
  );
}
