import type { EngineParts } from './engine-parts.ts';
import { plannedHost } from './planned-host.ts';
import { changeSettings } from '#core/contract/settings.ts';
import type { PendingComparison, PendingFile, Result } from '#core/contract/contract.ts';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import { VERSION } from '../../version.ts';
import { readTemplate } from '../config/report-templates.ts';
import { recentId } from '../config/recent-files.ts';
import type { Confirmations } from '../recording/confirmations.ts';
import { deleteItems, itemNamed, listTrash, restoreItem } from '../library/trash.ts';
import { listInPages } from './library-pages.ts';
import { liveHandlers } from './live-handlers.ts';
import { loadHandlers } from './load-handlers.ts';
import { noteHandlers } from './note-handlers.ts';
import { experimentHandlers } from './experiment-handlers.ts';
import type { FileHandles } from '../files/file-handles.ts';
import type { NamedInput, OpenRequest } from '../open-requests.ts';
import type { PlannedRecording } from '../recording/recorder.ts';
import { done, type Handlers } from '../http/rpc.ts';
import { isDefaultLibrary } from '../library/library-path.ts';
import { targetHandlers } from './target-handlers.ts';

export function createHandlers(parts: EngineParts): Handlers {
  const { library, recorder, fileHandles, confirmations, config, source } = parts;
  return {
    'app.state': async () => {
      const request = parts.pending.get();
      return {
        version: VERSION,
        libraryPath: library.path,
        isDefaultLibrary: isDefaultLibrary(library.path),
        platform: process.platform,
        pendingFiles: pendingFiles(request, fileHandles),
        pendingCaptures: [...request.captures],
        pendingExperiments: [...request.experiments],
        pendingComparisons: pendingComparisons(request, fileHandles),
        pendingView: request.view,
        pendingLive: request.live,
        pendingGuide: request.guide,
        recordings: [...recorder.list()],
        notices: [...request.problems, ...library.notices, ...config.notices()],
      };
    },
    'app.newWindow': () => Promise.resolve({ token: parts.newWindowToken() }),
    'settings.read': () => Promise.resolve(config.settings.get()),
    'settings.write': async ({ change }) => {
      try {
        const settings = await config.settings.edit((before) => changeSettings(before, change));
        if (change.trashDays !== undefined) await parts.emptyTrash();
        return settings;
      } finally {
        parts.broadcast({ kind: 'settings-changed', settings: config.settings.get() });
      }
    },
    'session.take': ({ windowId }) => Promise.resolve(config.sessions.take(windowId)),
    'session.leave': ({ windowId }) => done(config.sessions.leave(windowId)),
    'session.save': async ({ windowId, session }) => {
      parts.pending.forget();
      await config.sessions.save(windowId, session);
      return {};
    },
    'recent.list': () => Promise.resolve({ files: config.recent.list() }),
    'recent.open': async ({ id }) => {
      const file = await config.recent.find(id);
      await config.recent.add([file.path]);
      return pendingFile(file, fileHandles);
    },
    'recent.forget': ({ id }) => done(config.recent.forget(id)),
    'library.list': listInPages(library),
    ...experimentHandlers(parts),
    'library.get': ({ id }) => library.get(id),
    'library.rename': ({ id, name }) => library.rename(id, name),
    'library.tag': ({ id, tags }) => library.tag(id, tags),
    'library.trash': ({ id }) => done(library.trash(id)),
    'library.restore': ({ id }) => library.restore(id),
    'trash.list': async () => {
      const { items, others } = await listTrash(library.path);
      return { items, others: others.length };
    },
    'trash.restore': async ({ entry }) => {
      await restoreItem(library.path, itemNamed((await listTrash(library.path)).items, entry));
      await library.touch();
      return {};
    },
    'trash.delete': async ({ entries }) => {
      const { items } = await listTrash(library.path);
      await deleteItems(
        library.path,
        entries.map((entry) => itemNamed(items, entry)),
      );
      return {};
    },
    ...noteHandlers(parts),
    'report.templates': () => Promise.resolve({ templates: config.templates.list() }),
    'report.saveTemplate': async ({ template }) => {
      await config.templates.save(readTemplate(template));
      return { templates: config.templates.list() };
    },
    'report.deleteTemplate': async ({ name }) => {
      await config.templates.remove(name);
      return { templates: config.templates.list() };
    },
    ...loadHandlers(parts),
    // Loaded on the first call: few users have a fleet.
    fleet: async (call) => (await import('../fleet/calls.ts')).callFleet(fileHandles, call),
    'library.open': async ({ id, ignoreCache }) => {
      const { path, fileName, size, cached } = await library.openFile(id, { ignoreCache: ignoreCache ?? false });
      return { handle: fileHandles.add({ path, fileName }), fileName, size, cached };
    },
    'source.allowFolder': async (asked) => ({ folder: await source.allowFolder(asked) }),
    'source.allow': ({ id, allowed }) => done(source.allow(id, allowed)),
    'source.text': (params) => source.text(params),
    'annotate.plan': (params) => source.plan(params),
    'annotate.run': ({ confirmation }) => source.run(confirmation),
    'annotate.cancel': ({ confirmation }) => done(source.cancel(confirmation)),
    'lines.plan': ({ id }) => source.lines.plan(id),
    'lines.run': ({ confirmation, inlined }) => source.lines.run(confirmation, inlined),
    'lines.cancel': ({ confirmation }) => done(source.lines.cancel(confirmation)),
    'perfScript.plan': ({ id, target }) => source.perfScript.plan(id, target),
    'perfScript.run': ({ confirmation, run }) =>
      source.perfScript.run(
        confirmation,
        seldom((progress) => parts.broadcast({ kind: 'perf-script-progress', run, ...progress })),
      ),
    'perfScript.cancel': ({ confirmation }) => done(source.perfScript.cancel(confirmation)),
    'goTrace.plan': ({ id }) => source.goTrace.plan(id),
    'goTrace.run': ({ confirmation }) => source.goTrace.run(confirmation),
    'goTrace.cancel': ({ confirmation }) => done(source.goTrace.cancel(confirmation)),
    ...targetHandlers(parts),
    ...liveHandlers(parts),
    'record.plan': async (params) => {
      // Checked now, not after everything has been recorded.
      if (params.into !== undefined) await parts.experiments.get(params.into.experimentId);
      return plannedAnswer(await recorder.plan(params), confirmations);
    },
    'record.planRestart': async ({ recordingId }) =>
      plannedAnswer(await recorder.planRestart(recordingId), confirmations),
    'record.start': ({ confirmation }) => confirmations.take(confirmation)(),
    'record.stop': ({ recordingId }) => recorder.stop(recordingId),
    'record.cancel': ({ recordingId }) => recorder.cancel(recordingId),
  };
}

function plannedAnswer(
  { hosts, start }: PlannedRecording,
  confirmations: Pick<Confirmations<() => Promise<RecordingStatus>>, 'add'>,
): Result<'record.plan'> {
  return {
    hosts: hosts.map(plannedHost),
    confirmation: start === null ? null : confirmations.add(start),
  };
}

const PROGRESS_MS = 250;

/** Returns a function that passes on the first call, then at most one per quarter of a second. */
function seldom<T>(tell: (value: T) => void): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    tell(value);
  };
}

/** Returns the files of a request, each with a new handle. */
export function pendingFiles(request: OpenRequest, fileHandles: FileHandles): PendingFile[] {
  return request.files.map((file) => pendingFile(file, fileHandles));
}

/** Returns the comparisons of a request, each file with a new handle. */
export function pendingComparisons({ comparisons }: OpenRequest, fileHandles: FileHandles): PendingComparison[] {
  const input = (named: NamedInput): PendingComparison['before'][number] =>
    named.kind === 'file' ? { kind: 'file', file: pendingFile(named, fileHandles) } : named;
  return comparisons.map(({ before, after }) => ({ before: before.map(input), after: after.map(input) }));
}

function pendingFile({ path, fileName, size }: OpenRequest['files'][number], fileHandles: FileHandles): PendingFile {
  return { handle: fileHandles.add({ path, fileName }), fileName, size, recentId: recentId(path) };
}
