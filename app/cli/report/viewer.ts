import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_CHECKOUT, rendererFolder } from '#app/engine/program-files.ts';
import type { ReportViewer } from '#core/report/html-file.ts';
import { usageError } from '../errors.ts';

/** Returns the viewer that reports embed, as built with the page. */
export function readViewer(): ReportViewer {
  const path = join(rendererFolder(), 'report-viewer.json');
  if (!existsSync(path))
    throw usageError('the viewer of reports is not built', IS_CHECKOUT ? 'run npm run build' : 'reinstall Flamebench');
  return JSON.parse(readFileSync(path, 'utf8')) as ReportViewer;
}
