import type { Command } from 'commander';
import { CompareRefusal } from '#core/compare/compare-refusal.ts';
import { USUAL_REDACTIONS } from '#core/redact/identities.ts';
import { buildReport, type BuiltReport } from '#core/report/build-report.ts';
import { reportHtml } from '#core/report/html-file.ts';
import { reportPage } from '#core/report/page.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { reportCsv, reportJson, reportMarkdown, tablesOf } from '#core/report/report-text.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { openOutput } from '../convert/output-file.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { isVerbose, showProgress, warn } from '../output/terminal.ts';
import { readDraft } from './draft.ts';
import { declareReportOptions, readReportRequest, type ReportRequest } from './options.ts';
import { reportPng } from './png.ts';
import { readViewer } from './viewer.ts';

export const reportCommand: CliCommand = {
  configure: declareReportOptions,

  async run(command: Command): Promise<ExitCode> {
    const request = readReportRequest(command);
    try {
      const { draft, isSaved } = await readDraft(command, request);
      const kinds = request.redactions ?? new Set(isSaved ? [] : USUAL_REDACTIONS);
      showProgress('analysing');
      const built = await buildReport(
        draft,
        kinds,
        request.keep,
        createLimitedPatternRunner(() => 'a rule or search'),
      );
      showProgress('');
      const most = isVerbose() ? Infinity : MOST_LISTED;
      for (const { kind, from, token, count } of built.replaced.slice(0, most)) {
        warn(`replaced ${kind} ${from} by ${token} (${count})`);
      }
      const more = built.replaced.length - most;
      if (more > 0) warn(`replaced ${more} more; -v lists them`);
      await write(request, built);
      return ExitCode.ok;
    } catch (error) {
      if (error instanceof CompareRefusal) throw usageError(error.message);
      throw toCliError(error);
    } finally {
      showProgress('');
    }
  },
};

/** There can be thousands of folders and addresses. */
const MOST_LISTED = 50;

async function write(request: ReportRequest, built: BuiltReport): Promise<void> {
  const { prepared, report, profiles } = built;
  switch (request.format) {
    case 'html':
      return save(request.output, reportHtml(report, reportPage(prepared), profiles, readViewer()));
    case 'svg':
      return save(request.output, pictureOf(built, request.interactive === true));
    case 'png':
      return save(request.output, await reportPng(pictureOf(built, false), request.scale));
    case 'md':
      return writeMarkdown(request, built);
    case 'csv': {
      const [first] = tablesOf(prepared);
      const table = request.table ?? first!;
      if (!tablesOf(prepared).includes(table)) {
        throw usageError(`--table ${table}: this report has no such table`, `it has ${tablesOf(prepared).join(', ')}`);
      }
      return save(request.output, reportCsv(prepared, table));
    }
    case 'json':
      return save(request.output, reportJson(prepared));
  }
}

function pictureOf({ prepared }: BuiltReport, isInteractive: boolean): string {
  const svg = reportSvg(prepared, isInteractive);
  if (svg === null) throw usageError('this report has no graph', 'add a section with one, or use --template overview');
  return svg;
}

/** Writes the Markdown and, next to it, its picture, which must be uploaded with it. */
function writeMarkdown({ output }: ReportRequest, { prepared }: BuiltReport): void {
  const svg = output === '-' ? null : reportSvg(prepared, false);
  const picture = `${output.replace(/\.[^./]*$/, '')}.svg`;
  save(output, reportMarkdown(prepared, svg === null ? null : picture.slice(picture.lastIndexOf('/') + 1)));
  if (svg === null) return;
  save(picture, svg);
  warn(`the picture is ${picture}`);
}

function save(path: string, content: string | Uint8Array): void {
  const output = openOutput(path);
  try {
    output.write(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}
