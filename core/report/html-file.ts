import type { Report } from '../contract/report/report.ts';
import { joinBytes } from '../model/join-bytes.ts';
import { readNative } from '../model/native/read.ts';
import { writeNative } from '../model/native/write.ts';
import type { Profile } from '../model/profile.ts';
import { codeColumns } from '../import/report/columns/columns.ts';
import { packBytes } from '../import/report/embed.ts';
import { CAPTURE_TYPE, REPORT_MARK, REPORT_TYPE } from '../import/report/layout.ts';
import { escapeText, htmlText, type Markup } from '../export/markup.ts';

/** Scripts and style of an interactive report. The hashes are written as in a Content Security Policy: `sha256-…`. */
export interface ReportViewer {
  /** In the order in which they run. */
  readonly scripts: readonly string[];
  readonly style: string;
  /** By script. */
  readonly scriptHashes: readonly string[];
  readonly styleHash: string;
}

/** Returns the policy: nothing is loaded, sent or embedded, and no script runs except the viewer. */
const policy = ({ scriptHashes, styleHash }: ReportViewer): string =>
  [
    "default-src 'none'",
    `script-src ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`,
    `style-src '${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Returns the whole file. The same report, captures and viewer give the same text. */
export function reportHtml(
  report: Report,
  page: Markup,
  profiles: ReadonlyMap<string, Profile>,
  viewer: ReportViewer,
): string {
  const data = report.captures.map(({ id }) => {
    const packed = packBytes(codeColumns(nativeBytes(profiles.get(id)!)));
    return `<script type="${CAPTURE_TYPE}" id="capture-${id}">${packed}</script>`;
  });
  const json = packBytes(new TextEncoder().encode(JSON.stringify(report)));
  return [
    '<!doctype html>',
    REPORT_MARK,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeText(policy(viewer))}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="generator" content="Flamebench ${escapeText(report.made.version)}">`,
    `<title>${escapeText(report.title)}</title>`,
    `<style>${viewer.style}</style>`,
    '</head>',
    '<body>',
    htmlText(page),
    `<script type="${REPORT_TYPE}" id="flamebench-report">${json}</script>`,
    ...data,
    ...viewer.scripts.map((script) => `<script>${script}</script>`),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Writes the profile as it would be written after reading, because importers order a document's fields differently. */
const nativeBytes = (profile: Profile): Uint8Array<ArrayBuffer> => bytesOf(readNative(bytesOf(profile)));

const bytesOf = (profile: Profile): Uint8Array<ArrayBuffer> => joinBytes(writeNative(profile));
