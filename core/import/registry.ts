import { austinImporter } from './austin.ts';
import { bpftraceImporter } from './bpftrace.ts';
import { callgrindImporter } from './callgrind.ts';
import { chromeTraceImporter } from './chrome-trace.ts';
import { cpuprofileImporter } from './cpuprofile.ts';
import { d3JsonImporter } from './d3-json.ts';
import { dhatImporter } from './dhat.ts';
import { dtraceImporter } from './dtrace.ts';
import { flamegraphSvgImporter } from './flamegraph-svg.ts';
import { foldedImporter } from './folded.ts';
import { geckoImporter } from './gecko.ts';
import { ghcprofJsonImporter } from './ghcprof-json.ts';
import { ghcprofImporter } from './ghcprof.ts';
import { heapprofileImporter } from './heapprofile.ts';
import type { Importer } from './importer.ts';
import { instrumentsTraceImporter } from './instruments-trace.ts';
import { instrumentsImporter } from './instruments.ts';
import { jfrImporter } from './jfr.ts';
import { macosSampleImporter } from './macos-sample.ts';
import { massifImporter } from './massif.ts';
import { nativeImporter } from './native.ts';
import { perfDataImporter } from './perf-data.ts';
import { perfScriptImporter } from './perf-script.ts';
import { pprofLegacyImporter } from './pprof-legacy.ts';
import { pmcstatImporter } from './pmcstat.ts';
import { pprofImporter } from './pprof.ts';
import { safariImporter } from './safari.ts';
import { simpleperfTextImporter } from './simpleperf-text.ts';
import { simpleperfImporter } from './simpleperf.ts';
import { speedscopeImporter } from './speedscope.ts';
import { stackprofImporter } from './stackprof.ts';
import { stapImporter } from './stap.ts';
import { v8ProfJsonImporter } from './v8-prof-json.ts';
import { v8ProfLogImporter } from './v8-prof-log.ts';
import { vsprofImporter } from './vsprof.ts';
import { vtuneImporter } from './vtune.ts';
import { xctraceImporter } from './xctrace.ts';

/** Every format that Flamebench opens. Dialog filters, `flamebench formats`, the docs and the tests read this list. */
export const importers: readonly Importer[] = [
  nativeImporter,
  perfDataImporter,
  perfScriptImporter,
  simpleperfImporter,
  simpleperfTextImporter,
  foldedImporter,
  austinImporter,
  pprofImporter,
  pprofLegacyImporter,
  stapImporter,
  bpftraceImporter,
  dtraceImporter,
  macosSampleImporter,
  instrumentsImporter,
  instrumentsTraceImporter,
  xctraceImporter,
  vtuneImporter,
  vsprofImporter,
  pmcstatImporter,
  callgrindImporter,
  dhatImporter,
  d3JsonImporter,
  ghcprofImporter,
  ghcprofJsonImporter,
  flamegraphSvgImporter,
  massifImporter,
  speedscopeImporter,
  cpuprofileImporter,
  heapprofileImporter,
  v8ProfLogImporter,
  v8ProfJsonImporter,
  chromeTraceImporter,
  geckoImporter,
  stackprofImporter,
  safariImporter,
  jfrImporter,
];
