import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { USUAL_REDACTIONS } from '#core/redact/identities.ts';
import { buildReport, type BuiltReport } from '#core/report/build-report.ts';
import { reportHtml, type ReportViewer } from '#core/report/html-file.ts';
import { reportPage } from '#core/report/page.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { reportCsv, reportJson, reportMarkdown, tablesOf } from '#core/report/report-text.ts';
import { ExitCode, type CliCommand } from '../command.ts';
import { toCliError } from '../engine-errors.ts';
import { usageError } from '../errors.ts';
import { createLimitedPatternRunner } from '../input/pattern-runner.ts';
import { openOutput, saveOutput, type OutputFile } from '../output/output-file.ts';
import { isVerbose, showProgress, warn } from '../output/terminal.ts';
import { readDraft } from './draft.ts';
import { declareReportOptions, readReportRequest, type ReportRequest } from './options.ts';
import { reportPng } from './png.ts';
import { existsSync, readFileSync } from 'node:fs';
import { IS_CHECKOUT, rendererFolder } from '#app/engine/program-files.ts';

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
  const save = (content: string | Uint8Array): void => saveOutput(request.output, request, content);
  switch (request.format) {
    case 'html':
      return save(reportHtml(report, reportPage(prepared), profiles, readViewer()));
    case 'svg':
      return save(pictureOf(built, request.interactive === true));
    case 'png':
      return save(await reportPng(pictureOf(built, false), request.scale));
    case 'md':
      return writeMarkdown(request, built);
    case 'csv': {
      const [first] = tablesOf(prepared);
      const table = request.table ?? first!;
      if (!tablesOf(prepared).includes(table)) {
        throw usageError(`--table ${table}: this report has no such table`, `it has ${tablesOf(prepared).join(', ')}`);
      }
      return save(reportCsv(prepared, table));
    }
    case 'json':
      return save(reportJson(prepared));
  }
}

function pictureOf({ prepared }: BuiltReport, isInteractive: boolean): string {
  const svg = reportSvg(prepared, isInteractive);
  if (svg === null) throw usageError('this report has no graph', 'add a section with one, or use --template overview');
  return svg;
}

/** Writes the Markdown and, next to a file, its picture, which must be uploaded with it. */
function writeMarkdown(request: ReportRequest, { prepared }: BuiltReport): void {
  const { output } = request;
  const text = openOutput(output, request);
  const svg = text.isFile ? reportSvg(prepared, false) : null;
  const path = svg === null ? null : `${output.replace(/\.(md|markdown)$/i, '')}.svg`;
  let picture: OutputFile | null = null;
  try {
    picture = path === null ? null : openOutput(path, { ...request, besides: output });
    if (svg !== null) picture?.write(new TextEncoder().encode(svg));
    text.write(new TextEncoder().encode(reportMarkdown(prepared, path === null ? null : basename(path))));
    picture?.commit();
    text.commit();
  } catch (error) {
    picture?.discard();
    text.discard();
    throw error;
  }
  if (path !== null) warn(`the picture is ${path}`);
}

/** Returns the viewer that reports embed, as built with the page. */
function readViewer(): ReportViewer {
  const path = join(rendererFolder(), 'report-viewer.json');
  if (!existsSync(path))
    throw usageError('the viewer of reports is not built', IS_CHECKOUT ? 'run npm run build' : 'reinstall Flamebench');
  return JSON.parse(readFileSync(path, 'utf8')) as ReportViewer;
}
