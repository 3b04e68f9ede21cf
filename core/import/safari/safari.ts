import type { Head, Importer, SniffResult } from '../importer.ts';
import { JsonSession } from '../text/json-session.ts';

/** Recordings that the Timelines tab of Safari's Web Inspector exports. */
export const safariImporter: Importer = {
  id: 'safari',
  label: 'Safari timeline recording',
  extensions: ['html-recording.json', 'json'],
  keeps: 'every sample of scripts with its time and duration; stacks with files, lines of functions and lines that ran',
  loses: 'what else was recorded (network, layout, rendering, CPU, memory), which is counted; columns',
  recognizedBy: 'JSON with a `version` and a `recording` of instruments, or of `sampleStackTraces`',
  specification:
    'https://github.com/WebKit/WebKit/blob/main/Source/WebInspectorUI/UserInterface/Models/TimelineRecording.js',
  sniff: sniffSafari,
  start: async () => new JsonSession('a Safari recording', (await import('./build.ts')).buildSafari),
};

function sniffSafari({ text }: Head): SniffResult {
  if (!/^\s*\{/.test(text)) return 'no';
  const isRecording =
    /"recording"\s*:\s*\{/.test(text) && /"(?:sampleStackTraces|instrumentTypes)"\s*:\s*\[/.test(text);
  return isRecording ? 'yes' : 'no';
}
