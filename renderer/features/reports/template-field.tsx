import { useEffect, useState, type ReactElement } from 'react';
import { savedTemplateSchema, type ReportSection, type SavedTemplate } from '#core/contract/report/report.ts';
import type { Result } from '#core/contract/contract.ts';
import { draftCaptureId } from '../../../core/report/build-report.ts';
import { asTemplate, sectionsOfSaved, templates } from '../../../core/report/templates.ts';
import type { ReportChoice } from '../../analysis/profile/report/report-protocol.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Button, LinkButton } from '../../ui/buttons.tsx';
import { Select } from '../../ui/fields/select.tsx';

interface TemplateFieldProps {
  readonly tab: AnalysedTab | null;
  readonly choice: ReportChoice;
  /** The sections in the preview. */
  readonly sections: readonly ReportSection[];
  readonly change: (part: Partial<ReportChoice>) => void;
  readonly onProblem: (error: unknown) => void;
}

/** Returns the templates that this version can read. */
const readable = ({ templates: sent }: Result<'report.templates'>): SavedTemplate[] =>
  sent.flatMap((one) => savedTemplateSchema.safeParse(one).data ?? []);

/** Chooses a built-in or saved template, saves the sections as a template, and deletes saved ones. */
export function TemplateField({ tab, choice, sections, change, onProblem }: TemplateFieldProps): ReactElement {
  const { engine } = useWorkbench();
  const [saved, setSaved] = useState<readonly SavedTemplate[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    engine.call('report.templates', {}).then((answer) => setSaved(readable(answer)), onProblem);
    // Asked once: `onProblem` is new with each drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [engine]);
  const isSaved = saved.some((one) => one.name === chosen);
  const choose = (value: string): void => {
    const own = saved.find((one) => `saved ${one.name}` === value);
    setChosen(own?.name ?? null);
    if (own === undefined) return change({ template: value, sections: null });
    const captures = choice.captures.map((one, place) => ({
      id: draftCaptureId(place),
      name: one.name,
      facts: null,
      view: [],
    }));
    const side = { label: '', captures: [] };
    const comparison =
      tab?.kind === 'compare'
        ? { before: side, after: side, normalisation: null, rules: { off: [], user: [], ignoreModules: false } }
        : null;
    return change({ sections: sectionsOfSaved(own.sections, { captures, comparison }) });
  };
  const save = async (as: string): Promise<void> => {
    setName(null);
    const answer = await engine.call('report.saveTemplate', { template: { name: as, sections: asTemplate(sections) } });
    setSaved(readable(answer));
    setChosen(as);
  };
  const remove = async (which: string): Promise<void> => {
    const answer = await engine.call('report.deleteTemplate', { name: which });
    setSaved(readable(answer));
    setChosen(null);
  };
  return (
    <>
      <label>
        Template
        <Select
          name="Template"
          value={isSaved ? `saved ${chosen}` : choice.template}
          options={[
            ...templates.map(({ id, label }) => ({ value: id, label })),
            ...saved.map((template) => ({ value: `saved ${template.name}`, label: template.name })),
          ]}
          onChange={choose}
        />
      </label>
      <span />
      <div className="report-template">
        {name === null ? (
          <>
            <LinkButton onClick={() => setName(chosen ?? '')}>Save as template…</LinkButton>
            {isSaved && <LinkButton onClick={() => void remove(chosen!).catch(onProblem)}>Delete template</LinkButton>}
          </>
        ) : (
          <>
            <input
              className="field"
              aria-label="Name of the template"
              maxLength={100}
              value={name}
              ref={(field) => {
                if (field !== null && document.activeElement?.tagName === 'BODY') field.focus();
              }}
              onChange={(event) => setName(event.target.value)}
              onKeyDown={(event) => {
                // Otherwise the enclosing form would save the report.
                if (event.key === 'Enter') {
                  event.preventDefault();
                  if (name.trim() !== '') save(name.trim()).catch(onProblem);
                } else if (event.key === 'Escape') {
                  event.stopPropagation();
                  event.preventDefault();
                  setName(null);
                }
              }}
            />
            <Button disabled={name.trim() === ''} onClick={() => void save(name.trim()).catch(onProblem)}>
              Save template
            </Button>
          </>
        )}
      </div>
    </>
  );
}
