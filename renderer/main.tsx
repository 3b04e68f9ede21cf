import { createRoot, type Root } from 'react-dom/client';
import { features } from './features/registry.ts';
import { App } from './shell/app.tsx';
import { followTextStyle } from './state/appearance.ts';
import { CodeForm, StartProblem } from './shell/start-problem.tsx';
import { createEngineClient, isLost } from './state/engine-client.ts';
import { desktopShell } from './ui/desktop.ts';
import { createPreferences } from './state/preferences.ts';
import { asksForCode, browserSessionHost, enterCode, takeSession } from './state/session.ts';
import { hasRecording } from './state/recording-actions.ts';
import { createWorkbench } from './state/workbench.ts';
import analysisWorkerUrl from './analysis/analysis-worker.ts?worker&url';
import { createCompareClient, createProfileClient, type WorkerPort } from './state/clients/worker-client.ts';
import { restartedWorker } from './state/clients/restarted-worker.ts';
import { createSpareWorkers } from './state/clients/spare-worker.ts';
import { COMPARE_WORKER, PROFILE_WORKER } from './analysis/worker-names.ts';
import { trustedWorkerUrl } from './analysis/worker-url.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/layers.css';
import './styles/problem.css';
import './styles/shell.css';
import './styles/tab-strip.css';
import './styles/sidebar.css';
import './styles/empty-state.css';
import './styles/dialogs.css';
import './styles/workspace.css';
import './styles/toolbar.css';
import './styles/profile.css';
import './styles/record.css';
import './styles/access.css';

/**
 * Delay in ms before the next worker is started. Large files are on screen by then, and had all processors to
 * themselves.
 */
const SPARE_MS = 4000;

/** Returns the session token; null if the page was opened without a link or with a used one. */
async function sessionToken(root: Root): Promise<string | null> {
  const host = browserSessionHost();
  const token = await takeSession(host).catch(() => null);
  if (token !== null || !asksForCode(host)) return token;
  return new Promise((resolve) => {
    root.render(<CodeForm enter={(code) => enterCode(host, code)} onToken={resolve} />);
  });
}

const startWorker = (name: string): WorkerPort =>
  restartedWorker(() => new Worker(trustedWorkerUrl(analysisWorkerUrl), { type: 'module', name }));

async function start(container: HTMLElement): Promise<void> {
  const root = createRoot(container, {
    // React has recovered by rendering again. Its own error does not say what had failed.
    onRecoverableError: (error) => {
      reportError(error instanceof Error && error.cause !== undefined ? error.cause : error);
    },
  });
  const takeWorker = createSpareWorkers(
    () => startWorker(PROFILE_WORKER),
    (run) => setTimeout(run, SPARE_MS),
  );
  const token = await sessionToken(root);
  if (token === null) {
    root.render(<StartProblem />);
    return;
  }
  const engine = createEngineClient(token);
  const settings = await engine.call('settings.read', {}).catch(() => undefined);
  const preferences = createPreferences(
    {
      write: (change) => engine.call('settings.write', { change }),
      report: (error) => workbench.report(error),
      isLost,
    },
    settings,
  );
  followTextStyle(preferences);
  const workbench = createWorkbench(
    engine,
    preferences,
    {
      profile: (events) => {
        const { worker, replay } = takeWorker();
        const client = createProfileClient(worker, events);
        replay();
        return client;
      },
      compare: (events) => createCompareClient(startWorker(COMPARE_WORKER), events),
    },
    window.sessionStorage,
  );
  root.render(<App workbench={workbench} features={features} />);
  window.addEventListener('pagehide', workbench.leave);
  // The desktop shell opens files by their paths and asks about recordings itself; it would not show the question.
  if (desktopShell() === null) {
    window.addEventListener('beforeunload', (event) => {
      if (workbench.losesNotes() || hasRecording(workbench.store.get())) event.preventDefault();
    });
  }
  engine.connect();
  await workbench.start();
}

// Pasting a new link over an old page changes only the fragment, which does not load anything by itself.
window.addEventListener('hashchange', () => {
  if (window.location.hash !== '') window.location.reload();
});

const container = document.getElementById('root');
if (container !== null) void start(container);
