import { austinImporter } from './folded/austin.ts';
import { bpftraceImporter } from './bpftrace/bpftrace.ts';
import { callgrindImporter } from './callgrind/callgrind.ts';
import { chromeTraceImporter } from './chrome-trace/chrome-trace.ts';
import { cpuprofileImporter } from './v8/cpuprofile.ts';
import { d3JsonImporter } from './d3-json/d3-json.ts';
import { dhatImporter } from './valgrind/dhat.ts';
import { dtraceImporter } from './dtrace/dtrace.ts';
import { flamebearerImporter } from './flamebearer/flamebearer.ts';
import { flamegraphSvgImporter } from './flamegraph-svg/flamegraph-svg.ts';
import { foldedImporter } from './folded/folded.ts';
import { geckoImporter } from './gecko/gecko.ts';
import { ghcprofJsonImporter } from './ghc/ghcprof-json.ts';
import { ghcprofImporter } from './ghc/ghcprof.ts';
import { heapSnapshotImporter } from './v8/heap-snapshot.ts';
import { heapprofileImporter } from './v8/heapprofile.ts';
import { goroutinesImporter } from './goroutines/goroutines.ts';
import { asyncProfilerHtmlImporter, memrayHtmlImporter } from './html-graphs/html-graphs.ts';
import type { Importer } from './importer.ts';
import { instrumentsImporter, instrumentsTraceImporter } from './instruments/instruments.ts';
import { jfrImporter } from './jfr/jfr.ts';
import { macosSampleImporter } from './macos-sample/macos-sample.ts';
import { massifImporter } from './valgrind/massif.ts';
import { nativeImporter } from './native/native.ts';
import { otlpImporter } from './otlp/otlp.ts';
import { perfDataImporter } from './perf-data/perf-data.ts';
import { perfJsonImporter } from './perf-json/perf-json.ts';
import { perfReportImporter } from './perf-report/perf-report.ts';
import { perfettoImporter } from './perfetto/perfetto.ts';
import { perfScriptImporter } from './perf-script/perf-script.ts';
import { pprofLegacyImporter } from './pprof-legacy/pprof-legacy.ts';
import { pmcstatImporter } from './pmcstat/pmcstat.ts';
import { pprofImporter } from './pprof/pprof.ts';
import { pstatsImporter } from './pstats/pstats.ts';
import { pyinstrumentImporter } from './pyinstrument/pyinstrument.ts';
import { reportImporter } from './report/report.ts';
import { safariImporter } from './safari/safari.ts';
import { simpleperfImporter, simpleperfTextImporter } from './simpleperf/simpleperf.ts';
import { speedscopeImporter } from './speedscope/speedscope.ts';
import { stackprofImporter } from './stackprof/stackprof.ts';
import { stapImporter } from './stap/stap.ts';
import { threadDumpImporter } from './thread-dump/thread-dump.ts';
import { v8ProfJsonImporter, v8ProfLogImporter } from './v8/prof-log.ts';
import { vsprofImporter } from './vsprof/vsprof.ts';
import { vtuneImporter } from './vtune/vtune.ts';
import { xctraceImporter } from './xctrace/xctrace.ts';

/** Every format that Flamebench opens. Dialog filters, `flamebench formats`, the docs and the tests read this list. */
export const importers: readonly Importer[] = [
  nativeImporter,
  reportImporter,
  perfDataImporter,
  perfScriptImporter,
  perfJsonImporter,
  perfReportImporter,
  perfettoImporter,
  simpleperfImporter,
  simpleperfTextImporter,
  foldedImporter,
  austinImporter,
  pprofImporter,
  pprofLegacyImporter,
  otlpImporter,
  flamebearerImporter,
  goroutinesImporter,
  threadDumpImporter,
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
  pstatsImporter,
  pyinstrumentImporter,
  dhatImporter,
  d3JsonImporter,
  ghcprofImporter,
  ghcprofJsonImporter,
  flamegraphSvgImporter,
  asyncProfilerHtmlImporter,
  memrayHtmlImporter,
  massifImporter,
  speedscopeImporter,
  cpuprofileImporter,
  heapprofileImporter,
  heapSnapshotImporter,
  v8ProfLogImporter,
  v8ProfJsonImporter,
  chromeTraceImporter,
  geckoImporter,
  stackprofImporter,
  safariImporter,
  jfrImporter,
];
