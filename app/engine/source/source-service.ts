import { createReadStream } from 'node:fs';
import type { Annotation, AnnotationPlan, SourceText } from '#core/contract/source.ts';
import type { CaptureDocument, Check } from '#core/contract/schemas.ts';
import { functionRef, type FunctionRef } from '#core/analyze/function-ref.ts';
import type { FunctionKind } from '#core/model/profile.ts';
import { AnnotateFailure, planAnnotate, runAnnotate, type AnnotatePlan } from '#collectors/perf/annotate.ts';
import { PERF_RAW_FILE, TEXT_FILE } from '#collectors/perf/plan.ts';
import { findSymbolName } from '#collectors/perf/symbol-name.ts';
import { createLocalTarget } from '#collectors/target/local.ts';
import { findNamedFile } from '#collectors/target/named-file.ts';
import type { Target } from '#collectors/target/target.ts';
import { createConfirmedRuns } from '../recording/confirmations.ts';
import { EngineFailure } from '../failure.ts';
import type { Library } from '../library/library.ts';
import { createCaptureFunctions, type CaptureFunctions } from './capture-functions.ts';
import { checkReadHere } from './check-reading.ts';
import { createLineService, type LineService } from './line-service.ts';
import { createGoTraceService, type GoTraceService } from './go-trace-service.ts';
import { createPerfScriptService, type PerfScriptService } from './perf-script-service.ts';
import { isWithin, projectFolder } from './project-folder.ts';
import { readSourceFile, sourcePath } from './source-file.ts';

/** Identifies a function by its index in the capture's profile, never by a path. */
interface FunctionOfCapture {
  readonly id: string;
  readonly func: number;
}

/** Source files and disassembly of captures; used by the RPC methods `source.*` and `annotate.*`. */
export interface SourceService {
  /**
   * Sets whether the source files and binaries that a capture names may be read, until the engine ends or it is
   * withdrawn.
   */
  allow(id: string, allowed: boolean): Promise<void>;
  /**
   * Allows the source text of the project to which a function's file belongs, for all captures recorded here, until it
   * is withdrawn in the settings. Returns the project's folder.
   */
  allowFolder(asked: FunctionOfCapture): Promise<string>;
  /**
   * Returns the source file of a function. Rejects with `source-not-allowed` if the user has not allowed the source of a
   * capture from elsewhere, and with `source-folder-not-allowed` if not that of the file's project.
   */
  text(asked: FunctionOfCapture): Promise<SourceText>;
  /** Returns what `perf annotate` would run. */
  plan(asked: FunctionOfCapture & { readonly lines: boolean }): Promise<AnnotationPlan>;
  run(confirmation: string): Promise<Annotation>;
  /** Cancels a run or discards its plan. Idempotent. */
  cancel(confirmation: string): void;
  readonly lines: LineService;
  readonly perfScript: PerfScriptService;
  readonly goTrace: GoTraceService;
  dispose(): Promise<void>;
}

/** perf annotate keeps a processor busy, and a window waits for one run at a time. */
const MAX_RUNNING = 2;

interface ConfirmableRun {
  readonly command: readonly string[];
  readonly module: string;
}

/** The folders of projects whose source text the user allows to be shown. */
export interface SourceFolders {
  list(): readonly string[];
  add(folder: string): Promise<void>;
}

/** Creates the service. `openTarget` returns a connected target by its ID. */
export function createSourceService(
  library: Library,
  openTarget: (id: string) => Promise<Target>,
  folders: SourceFolders,
): SourceService {
  const target = createLocalTarget();
  const functionsOf = createCaptureFunctions(library);
  const runs = createConfirmedRuns<ConfirmableRun>('command', MAX_RUNNING);

  /** Showing source text needs the user's permission, also for captures recorded here: once for each project. */
  async function permit(path: string): Promise<void> {
    if (folders.list().some((folder) => isWithin(path, folder))) return;
    throw folderNotAllowed(await projectFolder(path));
  }

  return {
    async allow(id, isAllowed) {
      await library.get(id);
      library.confirmReading(id, isAllowed);
    },

    async text({ id, func }) {
      const capture = await functionsOf(id);
      const { file } = refOf(capture, func);
      const permission = await library.mayReadHere(capture.document);
      if (file !== '' && permission === null) throw notAllowed(file, capture);
      const { profiledAt, host } = capture;
      const named = { file, profiledAt, host, folder: null };
      return readSourceFile(permission === 'confirmed' ? named : { ...named, permit });
    },

    async allowFolder({ id, func }) {
      const capture = await functionsOf(id);
      const { file } = refOf(capture, func);
      if ((await library.mayReadHere(capture.document)) === null) throw notAllowed(file, capture);
      const folder = await projectFolder(await sourcePath(file, null));
      await folders.add(folder);
      return folder;
    },

    async plan({ id, func, lines }) {
      const capture = await functionsOf(id);
      const { name, module } = refOf(capture, func);
      const { checks, command } = await planDisassembly(target, library, capture, func, lines);
      return {
        name,
        module,
        checks: [...checks],
        command: command === null ? null : [...command],
        confirmation: command === null ? null : runs.add({ command, module }),
      };
    },

    run: (confirmation) =>
      runs.run(confirmation, ({ command, module }, signal) =>
        runAnnotate(target, command, module, signal).catch((error: unknown) => {
          throw annotateFailure(error);
        }),
      ),

    cancel: (confirmation) => runs.cancel(confirmation),

    lines: createLineService(library, target),
    perfScript: createPerfScriptService(library, openTarget),
    goTrace: createGoTraceService(library, target),

    dispose: () => target.dispose(),
  };
}

/** Plans the disassembly of a function, by its index, in a capture recorded here. */
export async function planDisassembly(
  target: Target,
  library: Library,
  capture: CaptureFunctions,
  func: number,
  lines: boolean,
): Promise<AnnotatePlan> {
  const { name, module } = refOf(capture, func);
  const recorded = await findRecording(library, capture, name);
  if (recorded.path === null) return { checks: [recorded.check], command: null };
  const { checks, command } = await planAnnotate(target, {
    rawPath: recorded.path,
    name: recorded.symbol,
    module,
    kind: capture.functions.kind[func] as FunctionKind,
    hasSelf: capture.hasSelf[func] === 1,
    lines,
    recordedAt: capture.profiledAt,
    find: findNamedFile,
  });
  return { checks: [recorded.check, ...checks], command };
}

/** Throws if the capture has no such function: the window read it in another format, or it has changed. */
function refOf({ strings, functions }: CaptureFunctions, func: number): FunctionRef {
  if (func < functions.length) return functionRef({ strings, functions }, func);
  throw new EngineFailure('not-found', 'The capture has no such function.', 'Open the capture again.');
}

const folderNotAllowed = (folder: string): EngineFailure =>
  new EngineFailure(
    'source-folder-not-allowed',
    `Source files in ${folder} have not been allowed to be shown.`,
    'Allow it once for this project: it applies to all captures recorded here, and Settings › Start withdraws it.',
  );

function notAllowed(file: string, { functions }: CaptureFunctions): EngineFailure {
  const files = new Set(functions.file);
  files.delete(0);
  const others = files.size > 1 ? `, one of the ${files.size} files that this profile names,` : '';
  return new EngineFailure(
    'source-not-allowed',
    `${file}${others} has not been read.`,
    'Allow it if you trust the profile: whoever made it chose these names.',
  );
}

/** Returns perf's own stream of a capture recorded on this machine, and perf's name of the function. */
async function findRecording(
  library: Library,
  { document }: CaptureFunctions,
  name: string,
): Promise<{ readonly path: string | null; readonly symbol: string; readonly check: Check }> {
  const id = 'recording';
  const symbol = name;
  const { otherFiles, primaryFile } = document;
  if (primaryFile !== PERF_RAW_FILE && !otherFiles.includes(PERF_RAW_FILE)) {
    const found = 'the capture has no perf.data, which disassembly needs';
    return {
      path: null,
      symbol,
      check: { id, status: 'failed', found, remedy: 'record with Flamebench on this machine' },
    };
  }
  const check = await checkReadHere(library, document);
  if (check.status === 'failed') return { path: null, symbol, check };
  const { path } = await library.rawFile(document.id, PERF_RAW_FILE);
  return {
    path,
    symbol: await symbolOf(library, document, name),
    check,
  };
}

async function symbolOf(library: Library, document: CaptureDocument, name: string): Promise<string> {
  if (![document.primaryFile, ...document.otherFiles].includes(TEXT_FILE)) return name;
  const text = await library.rawFile(document.id, TEXT_FILE);
  return findSymbolName(createReadStream(text.path, { highWaterMark: 1 << 18 }), name);
}

const annotateFailure = (error: unknown): unknown =>
  error instanceof AnnotateFailure
    ? new EngineFailure(
        error.code,
        `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`,
        error.remedy,
      )
    : error;
