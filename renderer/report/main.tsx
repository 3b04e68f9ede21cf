import { createRoot } from 'react-dom/client';
import { readData } from './report-data.ts';
import { LiveReport } from './live-report.tsx';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/controls.css';
import '../styles/layers.css';
import '../styles/toolbar.css';
import '../ui/pins.css';
import './report.css';
import './print.css';
import { messageOf } from '#core/model/failure.ts';

/**
 * Starts the viewer inside a report's file: reads the embedded data and replaces the static sections by interactive
 * ones. If that fails, the page stays as it is and shows the reason.
 */
async function start(): Promise<void> {
  const state = document.createElement('p');
  state.className = 'viewer-state';
  state.setAttribute('role', 'status');
  document.querySelector('.report-head')?.append(state);
  try {
    const data = await readData((text) => {
      state.textContent = text;
    });
    const host = document.createElement('div');
    document.body.append(host);
    createRoot(host).render(<LiveReport data={data} />);
    document.documentElement.classList.add('is-live');
    state.remove();
  } catch (error) {
    const reason = messageOf(error);
    state.textContent = `The page is shown as it was saved; its data can’t be used: ${reason}`;
  }
}

void start();
