import { useMemo, type ReactElement } from 'react';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import { describePattern, describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import { CODE_KINDS, type CodeKind } from '#core/model/code-kind.ts';
import { visibleText } from '#core/analyze/function-label.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { ChoiceList } from './choice-list.tsx';
import { CheckField, PatternField, SelectField } from '../../ui/fields/labelled-fields.tsx';
import { functionChoices, moduleChoices } from '../../state/transforms/target-choices.ts';
import type { FunctionsInView } from '../../state/transforms/functions-in-view.ts';
import { targetsOf, type TransformForm } from '../../state/transforms/form.ts';
import { GRANULARITY_ROWS } from '../../state/transforms/granularity-rows.ts';
import { TARGET_NAMES } from '../../state/transforms/kinds.ts';

interface FieldsProps {
  readonly seen: FunctionsInView;
  readonly form: TransformForm;
  /** True if the pattern cannot be run. */
  readonly invalid: boolean;
  readonly change: (part: Partial<TransformForm>) => void;
}

/** The target of a transform, and its other parameters. */
export function TargetFields(props: FieldsProps): ReactElement {
  const { form, change } = props;
  const targets = targetsOf(form);
  return (
    <>
      {targets.length > 1 && (
        <Segments
          label="Which functions"
          value={form.by}
          options={targets.map((value) => ({ value, label: TARGET_NAMES[value] }))}
          onChange={(by) => change({ by })}
        />
      )}
      <Target {...props} />
      <ReadingFields form={form} change={change} />
      {form.kind === 'collapse-recursion' && (
        <CheckField checked={form.direct} onChange={(direct) => change({ direct })}>
          Only direct recursion, without other frames between
        </CheckField>
      )}
      {form.kind === 'collapse-path' && (
        <PatternField
          label="Name of the frame"
          value={form.label}
          placeholder={form.pattern === '' ? 'the pattern' : visibleText(describePattern(form))}
          onChange={(label) => change({ label })}
        />
      )}
      {form.kind === 'rename' && (
        <PatternField
          label="Replacement for each match"
          value={form.replacement}
          placeholder="empty removes the match. $1, $<name> and $& insert what matched"
          onChange={(replacement) => change({ replacement })}
        />
      )}
    </>
  );
}

function Target({ seen, form, invalid, change }: FieldsProps): ReactElement | null {
  switch (form.by) {
    case 'function':
      return <FunctionChoice seen={seen} form={form} change={change} />;
    case 'module':
      return <ModuleChoice seen={seen} form={form} change={change} />;
    case 'kind':
      return <KindChoice form={form} change={change} />;
    case 'pattern':
      return (
        <>
          <PatternField
            label="Regular expression over function names"
            value={form.pattern}
            placeholder={form.kind === 'rename' ? String.raw`\.(isra|part|constprop|cold)(\.\d+)?` : '^malloc|^free$'}
            isWrong={invalid}
            onChange={(pattern) => change({ pattern })}
          />
          <CheckField checked={form.ignoreCase} onChange={(ignoreCase) => change({ ignoreCase })}>
            Ignore case
          </CheckField>
        </>
      );
    case 'path':
      return form.path === null ? null : (
        <p className="mono path-target">
          {describeTransform({ enabled: true, kind: 'focus', on: form.path }).replace(/^focus subtree: /, '')}
        </p>
      );
    case 'all':
      return null;
  }
}

/** The fields of transforms that decide how samples are read. */
function ReadingFields({ form, change }: Pick<FieldsProps, 'form' | 'change'>): ReactElement | null {
  switch (form.kind) {
    case 'keep-label':
    case 'hide-label':
      return (
        <PatternField
          label="Label filter"
          value={form.filterText}
          placeholder="method=^GET$   bytes=4kb:64kb   /users/"
          onChange={(filterText) => {
            change({ filterText, filter: filterText.trim() === '' ? null : parseLabelFilter(filterText) });
          }}
        />
      );
    case 'label-root':
    case 'label-leaf':
      return (
        <PatternField
          label="Label key"
          value={form.labelKey}
          placeholder="method"
          onChange={(labelKey) => change({ labelKey })}
        />
      );
    case 'granularity':
      return (
        <Segments
          label="What a frame represents"
          value={form.rows}
          options={GRANULARITY_ROWS.flatMap(({ rows }) => (rows === null ? [] : [{ value: rows, label: rows }]))}
          onChange={(rows) => change({ rows })}
        />
      );
    default:
      return null;
  }
}

const KINDS = (Object.keys(CODE_KINDS) as CodeKind[]).map((value) => ({ value, label: CODE_KINDS[value] }));

function KindChoice({ form, change }: Pick<FieldsProps, 'form' | 'change'>): ReactElement {
  return (
    <>
      <SelectField label="Kind of code" value={form.code} options={KINDS} onChange={(code) => change({ code })} />
      <CheckField checked={form.others} onChange={(others) => change({ others })}>
        All other code
      </CheckField>
    </>
  );
}

type ChoiceProps = Omit<FieldsProps, 'invalid'>;

function FunctionChoice({ seen, form, change }: ChoiceProps): ReactElement {
  const { functions, rows, share } = seen;
  const choices = useMemo(() => functionChoices(functions, rows), [functions, rows]);
  const { func } = form;
  return (
    <ChoiceList
      noun="function"
      choices={choices}
      chosen={
        func && {
          text: visibleText(func.name) || '(no name)',
          is: (other) => JSON.stringify(other) === JSON.stringify(func),
        }
      }
      weight={share}
      onChoose={(chosen) => change({ func: chosen })}
    />
  );
}

function ModuleChoice({ seen, form, change }: ChoiceProps): ReactElement {
  const { functions, rows, share } = seen;
  const choices = useMemo(() => moduleChoices(functions, rows), [functions, rows]);
  const { module } = form;
  return (
    <ChoiceList
      noun="module"
      choices={choices}
      chosen={module === null ? null : { text: visibleText(module) || '(unknown)', is: (other) => other === module }}
      weight={share}
      onChoose={(chosen) => change({ module: chosen })}
    />
  );
}
