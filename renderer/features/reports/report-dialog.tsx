import { useEffect, useId, useState, type ReactElement, useLayoutEffect, useRef } from 'react';
import type { ReportLoad } from '#core/contract/report/load.ts';
import type { ReportSection } from '#core/contract/report/report.ts';
import type { ReportViewer } from '../../../core/report/html-file.ts';
import type {
  FileForm,
  ReportChoice,
  ReportPreview,
  WindowFormat,
} from '../../analysis/profile/report/report-protocol.ts';
import type { AnalysedTab } from '../../state/tabs/open-tab.ts';
import { toProblem } from '../../state/problem.ts';
import { loadReportSource } from '../../state/reports/load-report.ts';
import { fetchViewer, reportSource, type ReportSource } from '../../state/reports/report-actions.ts';
import { tabTitle } from '../../state/tab-title.ts';
import { download, exportFileName } from '../../state/transforms/export-file.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions } from '../../ui/dialog/form-actions.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Problem } from '../../ui/problem.ts';
import { FileFields } from './file-fields.tsx';
import { RedactionList } from './redaction-list.tsx';
import { MoreCaptures, SubjectField } from './subject-fields.tsx';
import { TemplateField } from './template-field.tsx';
import { SectionList } from './section-list.tsx';
import './report-dialog.css';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Markup, MarkupChild } from '../../../core/export/markup.ts';
import { takeAnswerAfter } from '../../ui/take-answer.ts';

const EXTENSIONS: Readonly<Partial<Record<WindowFormat, string>>> = { html: 'report.html', 'still-svg': 'svg' };

/** Pause in typing before the preview is updated, in ms. */
const PAUSE_MS = 250;

/** Chooses the content of a report, previews it, and saves it. */
export function ReportDialog({ tab }: { readonly tab: AnalysedTab }): ReactElement | null {
  const workbench = useWorkbench();
  const source = useSource(tab);
  const close = (): void => workbench.showDialog(null);
  if (source === null) {
    return (
      <Dialog title="Report" onClose={close}>
        <p className="dialog-body" role="status">
          Waiting for {tabTitle(tab, workbench.store.get().captures)} to be read…
        </p>
      </Dialog>
    );
  }
  return <Builder tab={tab} source={source} onClose={close} />;
}

/** Returns the source of a tab's report; null until the tab has been read. */
function useSource(tab: AnalysedTab): ReportSource | null {
  const workbench = useWorkbench();
  const [source, setSource] = useState(() => reportSource(workbench, tab));
  useEffect(() => {
    if (source !== null) return undefined;
    const look = (): void => setSource(reportSource(workbench, tab));
    look();
    return tab.store.subscribe(look);
  }, [workbench, tab, source]);
  return source;
}

/** Reports on load tests alone. */
export function LoadReportDialog({ loads }: { readonly loads: readonly ReportLoad[] }): ReactElement {
  const workbench = useWorkbench();
  const [source] = useState(() => loadReportSource(workbench, loads));
  return <Builder tab={null} source={source} onClose={() => workbench.showDialog(null)} />;
}

interface BuilderProps {
  /** Null: load tests. */
  readonly tab: AnalysedTab | null;
  readonly source: ReportSource;
  readonly onClose: () => void;
}

/** Returns the sections with the texts that are made from the data as the preview has them. */
const withMadeTexts = (sections: readonly ReportSection[], made: readonly ReportSection[]): readonly ReportSection[] =>
  sections.map((section, place) => {
    const now = made[place];
    const isMade = section.kind === 'text' && section.fill !== undefined;
    return isMade && now?.kind === 'text' && now.fill === section.fill ? { ...section, text: now.text } : section;
  });

function Builder({ tab, source, onClose }: BuilderProps): ReactElement {
  const [choice, setChoice] = useState(source.initial);
  const [form, setForm] = useState<FileForm>({ format: 'html', scale: 2, table: null });
  const [saving, setSaving] = useState(false);
  const [viewer, setViewer] = useState<ReportViewer | null>(null);
  const { preview, problem, setProblem } = usePreview(source, choice);
  const made = preview?.sections ?? [];
  const sections = choice.sections === null ? made : withMadeTexts(choice.sections, made);
  const change = (part: Partial<ReportChoice>): void => setChoice((before) => ({ ...before, ...part }));
  useEffect(() => {
    fetchViewer().then(setViewer, (error: unknown) => setProblem(toProblem(error)));
  }, [setProblem]);
  const fail = (error: unknown): void => setProblem(toProblem(error));
  async function save(): Promise<void> {
    setSaving(true);
    try {
      const named = (extension: string): string => exportFileName(choice.title, extension, true);
      const picture = form.format === 'md' ? await pictureOf(source, choice) : null;
      const file = await source.file({
        choice,
        ...form,
        viewer,
        shown: null,
        picture: picture === null ? null : named('svg'),
      });
      download(file, named(EXTENSIONS[form.format] ?? form.format));
      if (picture !== null) download(picture, named('svg'));
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setSaving(false);
    }
  }
  return (
    <Dialog title="Report" className="report-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="report-builder">
          <div className="report-choices">
            <Fields tab={tab} choice={choice} change={change} sections={sections} onProblem={fail} />
            {source.add !== null && (
              <MoreCaptures choice={choice} add={source.add} onChoice={setChoice} onProblem={fail} />
            )}
            <SectionList
              sections={sections}
              captures={choice.captures.map(({ name }) => name)}
              isComparison={tab?.kind === 'compare'}
              onSections={(next) => change({ sections: next })}
            />
            <RedactionList choice={choice} change={change} preview={preview} />
            {problem !== null && <ProblemView problem={problem} />}
          </div>
          {/* Focusable, so that keys scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className="report-preview" role="region" aria-label="Preview" tabIndex={0}>
            {preview === null || viewer === null ? (
              <p className="panel-hint">Creating preview…</p>
            ) : (
              <MarkupView page={preview.page} style={viewer.style} />
            )}
          </div>
        </div>
        <div className="report-save">
          <FileFields form={form} tables={preview?.tables ?? []} onForm={setForm} />
          <FormActions submit="Save report" disabled={saving || preview === null} onCancel={onClose} />
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the picture of a report for its Markdown; null if it has no graph. */
async function pictureOf(source: ReportSource, choice: ReportChoice): Promise<Blob | null> {
  try {
    return await source.file({ choice, format: 'still-svg', scale: 1, table: null, viewer: null, shown: null });
  } catch (error) {
    if (toProblem(error).code === 'no-graph') return null;
    throw error;
  }
}

/** Returns the page for a choice; the previous page until it is ready. */
function usePreview(source: BuilderProps['source'], choice: ReportChoice) {
  const [preview, setPreview] = useState<ReportPreview | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    const take = (made: ReportPreview): void => {
      setPreview(made);
      setProblem(null);
    };
    return takeAnswerAfter(
      PAUSE_MS,
      () => source.preview(choice),
      take,
      (error) => setProblem(toProblem(error)),
    );
  }, [source, choice]);
  return { preview, problem, setProblem };
}

interface ChoiceProps {
  readonly choice: ReportChoice;
  readonly change: (part: Partial<ReportChoice>) => void;
}

interface FieldsProps extends ChoiceProps {
  readonly tab: AnalysedTab | null;
  readonly sections: readonly ReportSection[];
  readonly onProblem: (error: unknown) => void;
}

function Fields({ tab, choice, change, sections, onProblem }: FieldsProps): ReactElement {
  const id = useId();
  return (
    <div className="report-fields">
      {tab !== null && <SubjectField tab={tab} />}
      <label htmlFor={`${id}-title`}>Title</label>
      <input
        id={`${id}-title`}
        className="field"
        value={choice.title}
        onChange={(event) => change({ title: event.target.value })}
      />
      <label htmlFor={`${id}-author`}>Author</label>
      <input
        id={`${id}-author`}
        className="field"
        value={choice.author}
        onChange={(event) => change({ author: event.target.value })}
      />
      <TemplateField {...{ tab, choice, change, sections, onProblem }} />
    </div>
  );
}

/**
 * A report's page within the window. It is in a shadow root with the report's own style and is built from elements, so
 * no name in it is parsed as markup.
 */
function MarkupView({ page, style }: { readonly page: Markup; readonly style: string }): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    rootOf(host.current!).adoptedStyleSheets = [sheet];
  }, [style]);
  useLayoutEffect(() => {
    rootOf(host.current!).replaceChildren(toNode(page, false));
  }, [page]);
  return <div ref={host} />;
}

const rootOf = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: 'open' });

const SVG = 'http://www.w3.org/2000/svg';

function toNode(child: MarkupChild, isInSvg: boolean): Node {
  if (typeof child === 'string') return document.createTextNode(child.split('\n').map(visibleText).join('\n'));
  const isSvg = isInSvg || child.tag === 'svg';
  const element = isSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  for (const [name, value] of Object.entries(child.attributes)) {
    // Links are inactive in a preview, and IDs belong to the window's page.
    if (name !== 'id' && name !== 'href' && name !== 'xmlns') element.setAttribute(name, visibleText(value));
  }
  element.append(...child.children.map((one) => toNode(one, isSvg)));
  return element;
}
