import { savedTemplateSchema, type SavedTemplate } from '#core/contract/report/report.ts';
import { EngineFailure } from '../failure.ts';
import { openConfigFile } from './config-file.ts';

/** Maximum number of templates that a user keeps. */
const MAX_TEMPLATES = 100;

/** The user's own templates of reports, by name. */
export interface ReportTemplates {
  readonly list: () => SavedTemplate[];
  /** Adds a template or replaces the one with its name. Rejects with code `too-many` beyond the limit. */
  readonly save: (template: SavedTemplate) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly notices: readonly string[];
  readonly close: () => Promise<void>;
}

export async function openReportTemplates(folder: string): Promise<ReportTemplates> {
  const file = await openConfigFile<readonly SavedTemplate[]>({
    folder,
    name: 'report-templates.json',
    initial: [],
    read: ({ templates }) => {
      if (!Array.isArray(templates)) return { value: [], problems: ['it holds no templates'] };
      const value = templates
        .slice(0, MAX_TEMPLATES)
        .flatMap((one: unknown) => savedTemplateSchema.safeParse(one).data ?? []);
      const lost = templates.length - value.length;
      return { value, problems: lost === 0 ? [] : [`${lost} of its templates can't be read`] };
    },
    write: (templates) => ({ templates }),
  });
  return {
    list: () => [...file.get()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    save: async (template) => {
      const others = (all: readonly SavedTemplate[]): SavedTemplate[] =>
        all.filter(({ name }) => name !== template.name);
      if (others(file.get()).length >= MAX_TEMPLATES)
        throw new EngineFailure('too-many', `there are ${MAX_TEMPLATES} templates of reports`, 'Delete one.');
      await file.edit((all) => [...others(all), template]);
    },
    remove: async (wanted) => {
      await file.edit((all) => all.filter(({ name }) => name !== wanted));
    },
    notices: file.notices,
    close: file.close,
  };
}

/** Throws an {@link EngineFailure} for anything but a template. */
export function readTemplate(sent: unknown): SavedTemplate {
  const read = savedTemplateSchema.safeParse(sent);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join('.') ?? '';
  throw new EngineFailure('invalid-arguments', `not a template of reports: ${where}`, 'Save the sections again.');
}
