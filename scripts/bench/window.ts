import { benchRecording, largeBenchRecording, megabytesOf } from './recording.ts';
import { absentRow, benchTable, median, memoryRow, secondsRow, type BenchRow } from './table.ts';
import { openOnce, speedscopeViewer, VIEWPORT, workbenchViewer, type OpenRun } from './viewers.ts';
import { findChromium } from '../components.mjs';

const RUNS = 5;
/** Required speed relative to speedscope in the same run. */
const SPEEDSCOPE_RATIO = 3;
const MEMORY_LIMIT_MB = 350;
const LARGE_MEMORY_LIMIT_MB = 700;
const MEMORY_NOTE = 'peak resident memory of the renderer over the empty page, read each 50 ms';

/**
 * Opens about 200 MB of perf script text alternately in the workbench and in speedscope, then more than 1 GB in the
 * workbench.
 */
export async function benchWindow(): Promise<BenchRow[]> {
  const { path: file, reason } = benchRecording();
  if (file === null) return [absentRow('window opens the capture', reason)];
  const chromium = findChromium();
  if (chromium === null) return [absentRow('window opens the capture', 'chromium is absent')];
  const workbench = workbenchViewer();
  const speedscope = await speedscopeViewer();
  try {
    const ours: OpenRun[] = [];
    const theirs: OpenRun[] = [];
    for (let run = 0; run < RUNS; run++) {
      ours.push(await openOnce(chromium, workbench, file));
      if (speedscope !== null) theirs.push(await openOnce(chromium, speedscope, file));
    }
    const large = largeBenchRecording();
    return [
      ...openRows(ours, theirs, megabytesOf(file)),
      ...(large.path === null
        ? [absentRow('window opens more than 1 GB', large.reason)]
        : largeRows(await openOnce(chromium, workbench, large.path), megabytesOf(large.path))),
    ];
  } finally {
    await workbench.close();
    await speedscope?.close();
  }
}

function openRows(ours: readonly OpenRun[], theirs: readonly OpenRun[], size: string): BenchRow[] {
  const how = `${size}, choice of the file to painted graph, Chromium ${VIEWPORT.width} × ${VIEWPORT.height}, median of ${RUNS}`;
  const seconds = median(ours.map((run) => run.seconds));
  const megabytes = median(ours.map((run) => run.bytes)) / 1e6;
  const memory = memoryRow('window: memory', megabytes, MEMORY_LIMIT_MB, MEMORY_NOTE);
  if (theirs.length === 0) {
    return [absentRow('speedscope', 'absent'), secondsRow('window opens the capture', seconds, null, how), memory];
  }
  const peer = median(theirs.map((run) => run.seconds));
  const times = `${(peer / seconds).toFixed(1)} × as fast; ${how}`;
  return [
    secondsRow('speedscope opens the capture', peer, null, how),
    secondsRow('window opens the capture', seconds, peer / SPEEDSCOPE_RATIO, times),
    memoryRow('speedscope: memory', median(theirs.map((run) => run.bytes)) / 1e6, null, MEMORY_NOTE),
    memory,
  ];
}

function largeRows({ seconds, bytes }: OpenRun, size: string): BenchRow[] {
  const note = `five distinct recordings, ${size}; one run`;
  return [
    secondsRow('window opens more than 1 GB', seconds, null, note),
    memoryRow('window: memory, more than 1 GB', bytes / 1e6, LARGE_MEMORY_LIMIT_MB, MEMORY_NOTE),
  ];
}

if (import.meta.main) process.stdout.write(`\n${benchTable(await benchWindow())}\n`);
