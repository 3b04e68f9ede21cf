import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { MAX_NOTES_BYTES } from '#core/contract/limits.ts';
import { notesSchema, type Note } from '#core/contract/notes.ts';
import { reportSectionSchema, type Report, type ReportNote, type ReportSection } from '#core/contract/report/report.ts';
import { EXPERIMENT_FILE_ENDING } from '#core/contract/experiment-file.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { draftCaptureId, type DraftCapture, type ReportDraft } from '#core/report/build-report.ts';
import { REPORT_MARK } from '#core/import/report/layout.ts';
import { MAX_REPORT_BYTES, readReportCapture, readReportHtml } from '#core/import/report/read-report.ts';
import { factorsOf } from '#core/report/facts-of.ts';
import { sectionsOfSaved, templates, type TemplateSubject } from '#core/report/templates.ts';
import type { ReportLoad } from '#core/contract/report/load.ts';
import type { Side } from '#core/contract/side.ts';
import { HOPS_TITLE } from '#core/load/hops.ts';
import { orderNotes } from '#core/notes/order-notes.ts';
import { jsonValue } from '#core/model/json-value.ts';
import { defaultConfigPath } from '#app/engine/config/config-path.ts';
import { shownInput } from '#app/engine/files/classify-word.ts';
import { readGivenFile } from '#app/engine/files/read-given-file.ts';
import { VERSION } from '#app/version.ts';
import { selectSides, type DiffCapture, type DiffSides, compareSides } from '../diff/captures.ts';
import { findDiffInputs, nameFiles } from '../diff/inputs.ts';
import { sidesRequest, type DiffRequest } from '../diff/options.ts';
import { inputError, usageError } from '../errors.ts';
import { applyTransforms, reportView } from '../input/apply-transforms.ts';
import { noteEmpty } from '../input/choose-value-type.ts';
import { chooseSelection } from '../input/input-options.ts';
import { readInput } from '../input/read-input.ts';
import { readOptionFile } from '../input/read-option-file.ts';
import { givenTransforms } from '../input/transform-options.ts';
import { findExperimentId, findInput } from '../library/find-input.ts';
import { refuseOptions, takesOnly } from '../option-values.ts';
import { loadsOf } from '../load/compared.ts';
import { loadTestsOf } from './loads.ts';
import { WRITING_OPTIONS, type ReportRequest } from './options.ts';

interface ReadDraft {
  readonly draft: ReportDraft;
  /** True for a report that was saved before, whose redactions are already applied. */
  readonly isSaved: boolean;
}

/** Reads the command's inputs into a draft of the report. */
export async function readDraft(command: Command, request: ReportRequest): Promise<ReadDraft> {
  const [only] = request.words;
  if (request.words.length === 1 && only !== undefined && isReport(only)) {
    takesOnly(command, 'a saved report', WRITING_OPTIONS);
    return { draft: await savedDraft(only, request), isSaved: true };
  }
  const loads = await loadTestsOf(request.words, request);
  if (loads !== null) {
    takesOnly(command, 'a report of load tests', [...WRITING_OPTIONS, 'compare', 'hops', 'before', 'after']);
    return { draft: await loadDraft(loads, request), isSaved: false };
  }
  const isComparison = request.isComparison || (request.words.length === 1 && (await isExperiment(only!, request)));
  if (!isComparison) refuseOptions(command, 'a report without --compare', ['normalize', 'requests']);
  const draft = isComparison ? await comparisonDraft(command, request) : await capturesDraft(command, request);
  return { draft, isSaved: false };
}

const HEAD_BYTES = 4096;

function isReport(path: string): boolean {
  try {
    // What is read of a pipe is gone.
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return head.toString('utf8', 0, readSync(file, head, 0, HEAD_BYTES, 0)).includes(REPORT_MARK);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

const isExperiment = async (word: string, { library }: ReportRequest): Promise<boolean> =>
  word.endsWith(EXPERIMENT_FILE_ENDING) || (await findExperimentId(word, library)) !== null;

/** Returns the data, notes and sections of a saved report; the command's options take precedence. */
async function savedDraft(path: string, request: ReportRequest): Promise<ReportDraft> {
  const { report, captures } = readReportHtml(readGivenFile(path, MAX_REPORT_BYTES).toString());
  const drafts = report.captures.map(
    ({ id, name, view, facts, range, quality }): DraftCapture & { facts: typeof facts } => ({
      name,
      document: facts as DraftCapture['document'],
      facts,
      profile: readReportCapture(captures.get(id)!),
      view,
      range: range ?? null,
      quality: quality ?? null,
    }),
  );
  const isSame = report.captures.every(({ id }, place) => id === draftCaptureId(place));
  if (!isSame) throw inputError(`${path}: the report's captures have unknown ids`, 'it may be of a newer version');
  return {
    title: request.title ?? report.title,
    made: { ...report.made, version: VERSION, author: request.author ?? report.made.author, command: commandLine() },
    captures: drafts,
    comparison: report.comparison,
    loads: report.loads ?? [],
    sections: request.template === undefined ? report.sections : await sectionsOf(request, report),
    notes: [...report.notes, ...readNotes(request.notes, report.comparison === null && drafts.length > 0)],
    withoutTimes: report.withoutTimes || !request.times,
  };
}

/** Returns the command line as the user typed it, without the paths of node and the program. */
const commandLine = (): string[] => ['flamebench', ...process.argv.slice(2)];

const madeFrom = (request: ReportRequest, from: readonly string[]): Report['made'] => ({
  version: VERSION,
  author: request.author === '' ? null : (request.author ?? loginName()),
  from: [...from],
  command: commandLine(),
});

/** Returns null if the system has none. */
function loginName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

/** Drafts a report of load tests alone: one, two before and after, or hops. */
async function loadDraft(loads: readonly ReportLoad[], request: ReportRequest): Promise<ReportDraft> {
  const names = loads.map(({ name }) => name);
  return {
    title: request.title ?? titleOf(loads),
    made: madeFrom(request, names),
    captures: [],
    comparison: null,
    loads,
    sections: await sectionsOf(request, { captures: [], comparison: null, loads: [...loads] }),
    notes: readNotes(request.notes, false),
    withoutTimes: !request.times,
  };
}

function titleOf([first, ...others]: readonly ReportLoad[]): string {
  if (others.length === 0) return first!.name;
  return first!.side === 'hop' ? HOPS_TITLE : 'Before and after';
}

async function capturesDraft(command: Command, request: ReportRequest): Promise<ReportDraft> {
  const names = nameFiles(request.words);
  const captures: DraftCapture[] = [];
  const kept: KeptNotes[] = [];
  for (const word of request.words) {
    const { path, document, isCapture, mayReadHere } = await findInput(word, request.library);
    if (isCapture && document !== null) kept.push({ on: draftCaptureId(captures.length), id: document.id });
    const recorded = await readInput(path, request, mayReadHere);
    const selection = chooseSelection(recorded, request);
    const given = await givenTransforms(command, recorded);
    const applied = await applyTransforms(recorded, given);
    const { profile } = applied;
    noteEmpty(profile, selection, applied.resolved);
    const seen = visibleProfile(profile, { selection, ...applied });
    reportView(applied, seen.view);
    const isWhole = given.length === 0 && selection.threads === null && selection.timeRange === null;
    captures.push({
      name: document?.name ?? names.get(word) ?? shownInput(word),
      document,
      profile: isWhole ? withType(profile, selection) : seen.profile,
      view: isWhole ? [] : seen.description,
      range: selection.timeRange,
      quality: captureQuality(recorded, { lost: document?.lostSamples ?? 0 }),
    });
  }
  const loads = await loadsOf(captures, null, request.library);
  const subject: TemplateSubject = {
    captures: subjects(captures),
    comparison: null,
    ...(loads.length === 0 ? {} : { loads }),
  };
  return {
    title: request.title ?? captures.map(({ name }) => name).join(', '),
    made: madeFrom(request, request.words),
    captures,
    comparison: null,
    loads,
    sections: await sectionsOf(request, subject),
    notes: [...(await notesOfLibrary(request, kept)), ...readNotes(request.notes, true)],
    withoutTimes: !request.times,
  };
}

const withType = (profile: DraftCapture['profile'], { valueType }: Selection): DraftCapture['profile'] =>
  valueType === profile.metadata.defaultValueType
    ? profile
    : { ...profile, metadata: { ...profile.metadata, defaultValueType: valueType } };

const subjects = (captures: readonly DraftCapture[]): Report['captures'] =>
  captures.map(({ name, view }, place) => ({ id: draftCaptureId(place), name, facts: null, view: [...view] }));

async function comparisonDraft(command: Command, request: ReportRequest): Promise<ReportDraft> {
  const asked = sidesRequest(request.words, request);
  const inputs = await findDiffInputs(asked);
  const sides = await selectSides(command, asked, inputs);
  const all = [...sides.before, ...sides.after];
  const captures = all.map(draftOf);
  const place = (capture: DiffCapture): number => all.indexOf(capture);
  const { experiment } = sides;
  const side = (name: Side) => ({
    label: experiment?.[name].label ?? '',
    captures: sides[name].map((capture) => ({
      capture: draftCaptureId(place(capture)),
      requests: capture.facts.requests,
    })),
  });
  const { rules, normalisation } = sides.options;
  const comparison: Report['comparison'] = {
    before: side('before'),
    after: side('after'),
    normalisation: asked.normalisation ?? normalisation,
    rules: { ...rules, off: [...rules.off], user: rules.user.map((rule) => ({ ...rule })) },
    ...(captures.every(({ view }) => view.length === 0) ? {} : await wholeFactors(sides, asked)),
  };
  const loads = await loadsOf(sides.before, sides.after, request.library);
  const subject: TemplateSubject = {
    captures: subjects(captures),
    comparison,
    ...(loads.length === 0 ? {} : { loads }),
  };
  const own =
    experiment === null || experiment.notes.trim() === '' ? [] : [{ on: null, note: wholeNote(experiment.notes) }];
  const written = orderNotes((await inputs.notes?.()) ?? []).map((note) => ({ on: null, note }));
  return {
    title: request.title ?? experiment?.name ?? 'Before and after',
    made: madeFrom(request, experiment === null ? captures.map(({ name }) => name) : [experiment.name]),
    captures,
    comparison,
    loads,
    sections: await sectionsOf(request, subject),
    notes: [...own, ...written, ...readNotes(request.notes, false)],
    withoutTimes: !request.times,
  };
}

/** The report holds only what is in view, but sizes are those of the whole captures. */
async function wholeFactors(sides: DiffSides, { normalisation }: DiffRequest) {
  return factorsOf(await compareSides(sides, normalisation ?? undefined));
}

function draftOf({ profile, selection, named, transforms, facts, document }: DiffCapture): DraftCapture {
  const isWhole = named.length === 0 && selection.threads === null && selection.timeRange === null;
  const seen = isWhole ? null : visibleProfile(profile, { selection, transforms: named, resolved: transforms });
  return {
    name: facts.name,
    document,
    profile: seen === null ? withType(profile, selection) : seen.profile,
    view: seen === null ? [] : seen.description,
    range: selection.timeRange,
    quality: facts.quality ?? null,
  };
}

/** Returns the sections of the template (built-in, saved by the user, or a file); the overview if none is given. */
async function sectionsOf(
  { template = 'overview' }: ReportRequest,
  subject: TemplateSubject,
): Promise<ReportSection[]> {
  const known = templates.find(({ id }) => id === template);
  if (known !== undefined) return known.sections(subject);
  if (!existsSync(template)) {
    const saved = await savedTemplate(template);
    if (saved !== null) return sectionsOfSaved(saved, subject);
    const names = templates.map(({ id }) => id).join(', ');
    throw usageError(`--template: there is no template ${template}`, `use ${names}, or name a file`);
  }
  const text = readOptionFile(template);
  const sections = parseJson(text, template, 'sections');
  return sections.map((section, place) => {
    const read = reportSectionSchema.safeParse(section);
    if (read.success) return read.data;
    throw inputError(`${template}: section ${place + 1} is not one (${read.error.issues[0]?.path.join('.') ?? ''})`);
  });
}

/** Returns null if the user saved none with that name. */
async function savedTemplate(wanted: string): Promise<readonly ReportSection[] | null> {
  const { openReportTemplates } = await import('#app/engine/config/report-templates.ts');
  const templates = await openReportTemplates(defaultConfigPath());
  await templates.close();
  return templates.list().find(({ name }) => name === wanted)?.sections ?? null;
}

function parseJson(text: string, path: string, field: string): unknown[] {
  const value = jsonValue(text) as Record<string, unknown> | null | undefined;
  if (value === undefined) throw inputError(`${path} is not JSON`);
  const list = value?.[field];
  if (Array.isArray(list)) return list as unknown[];
  throw inputError(`${path} has no list of ${field}`);
}

/** A capture whose notes a report takes from the library. */
interface KeptNotes {
  /** The report's name of the capture. */
  readonly on: string;
  readonly id: string;
}

/** Returns the notes that the library keeps of captures, in the order of `kept`. */
async function notesOfLibrary({ library: folder }: ReportRequest, kept: readonly KeptNotes[]): Promise<ReportNote[]> {
  if (kept.length === 0) return [];
  const { withLibrary } = await import('../library/open-library.ts');
  const lists = await withLibrary(folder, (library) => Promise.all(kept.map(({ id }) => library.notes(id))));
  return lists.flatMap((notes, place) => orderNotes(notes).map((note) => ({ on: kept[place]!.on, note })));
}

/** Reads the file of `--notes`: a document of notes, or Markdown as one note on the whole. */
function readNotes(path: string | undefined, isOfCapture: boolean): ReportNote[] {
  if (path === undefined) return [];
  const on = isOfCapture ? draftCaptureId(0) : null;
  const text = readGivenFile(path, MAX_NOTES_BYTES).toString();
  if (!path.endsWith('.json')) return [{ on, note: wholeNote(text) }];
  const value = jsonValue(text);
  if (value === undefined) throw inputError(`--notes: ${path} is not JSON`);
  const read = notesSchema.safeParse(value);
  if (!read.success) {
    throw inputError(`--notes: ${path} is not a document of notes (${read.error.issues[0]?.path.join('.') ?? ''})`);
  }
  return read.data.notes.map((note) => ({ on, note }));
}

const wholeNote = (text: string): Note => ({
  id: 'whole',
  anchor: { kind: 'whole' },
  text: text.trim().slice(0, 20_000) || '(empty)',
  author: '',
  created: null,
  edited: null,
  colour: 'none',
});
