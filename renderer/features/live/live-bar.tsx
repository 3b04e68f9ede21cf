import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { LIVE_WINDOWS, type LiveStatus, type LiveWindow } from '#core/contract/live.ts';
import type { LiveControl, LiveState } from '../../state/live/control.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { Facts } from '../../ui/fitted-text.tsx';
import { bytes, count, countOf } from '../../ui/format.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { BaselineField, BaselineText } from './baseline-field.tsx';
import { saveLive } from './save-live.ts';
import { SPIKE_SECONDS } from './spike.ts';
import './live.css';
import { Button } from '../../ui/buttons.tsx';

/** Controls and state of a live session, above its graph. */
export function LiveBar({ live }: { live: LiveControl }): ReactElement {
  const workbench = useWorkbench();
  const state = useStore(live.store, (all) => all);
  const { status, window, paused, problem } = state;
  const isOver = status !== null && (status.state === 'ended' || status.state === 'failed');
  const recordingId = status?.recordingId;
  const run = (action: () => Promise<unknown>) => () => {
    action().catch(workbench.report);
  };
  return (
    <>
      <section className="live-bar" aria-label="Live">
        <span className={isOver || paused ? 'live-state dim' : 'live-state'}>
          {!isOver && !paused && <span className="dot live" />}
          {isOver ? 'Ended' : paused ? 'Paused' : recordingId === undefined ? 'Live' : 'Recording'}
        </span>
        <Segments
          label="Time to show"
          value={String(window)}
          options={LIVE_WINDOWS.map((one) => ({ value: String(one), label: WINDOW_NAMES[String(one)]! }))}
          onChange={(value) => live.setWindow(LIVE_WINDOWS.find((one) => String(one) === value) as LiveWindow)}
        />
        {!isOver && (
          <Button aria-pressed={paused} onClick={() => live.setPaused(!paused)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
        )}
        <BaselineField live={live} />
        {recordingId === undefined ? (
          <>
            {!isOver && (
              <Button title="Forget the samples so far" onClick={run(live.reset)}>
                Reset
              </Button>
            )}
            <Button onClick={run(() => saveLive(workbench, live, SPIKE_SECONDS))}>Save last {SPIKE_SECONDS} s</Button>
            <Button onClick={run(() => saveLive(workbench, live, null))}>Save all</Button>
            {!isOver && <Button onClick={run(live.stop)}>Stop</Button>}
          </>
        ) : (
          !isOver && (
            <>
              <Button onClick={run(() => workbench.recording.cancel(recordingId))}>Cancel and discard</Button>
              <Button className="primary" onClick={run(() => workbench.recording.stop(recordingId))}>
                Stop and keep
              </Button>
            </>
          )
        )}
        {status !== null && <FollowButton status={status} />}
        <div className="live-line">
          {/* Not announced: it changes with each update. */}
          <span className="live-facts mono" title={facts(state).join(' · ')}>
            <Facts facts={facts(state)} />
          </span>
          <BaselineText live={live} />
          <span className="live-event ellipsis" role="status">
            {status !== null && <NewestEvent status={status} />}
          </span>
        </div>
      </section>
      {problem !== null && <ProblemView problem={problem} />}
    </>
  );
}

const WINDOW_NAMES: Readonly<Record<string, string>> = { '10': '10 s', '60': '1 min', '300': '5 min', null: 'All' };

/** Shorter ones would read as 0.0 s. */
const LEAST_GAP_SECONDS = 0.1;

function facts({ status, shown }: LiveState): string[] {
  if (status === null) return [];
  const { samplesPerSecond, lost, collectorCpu, latencyMs, rateHz, gapSeconds, raw, recordingId } = status;
  const window = shown === null ? '' : `${countOf(shown.samples, 'sample')} in ${shown.coveredSeconds.toFixed(0)} s`;
  return [
    ...(shown?.isWidened === true ? [`${window} (longer: too few samples)`] : window === '' ? [] : [window]),
    `${count(Math.round(samplesPerSecond))} samples/s${rateHz === null ? '' : ` at ${count(rateHz)} Hz`}`,
    `${count(lost)} lost`,
    ...(gapSeconds < LEAST_GAP_SECONDS ? [] : [`gaps ${gapSeconds.toFixed(1)} s`]),
    ...(recordingId === undefined
      ? [`collector ${collectorCpu === null ? '–' : (collectorCpu * 100).toFixed(1)} % CPU`]
      : []),
    `latency ${latencyMs === null ? '–' : (latencyMs / 1000).toFixed(1)} s`,
    ...(raw === null ? [] : [`raw ${bytes(raw.bytes)}${raw.maxBytes === null ? '' : ` of ${bytes(raw.maxBytes)}`}`]),
  ];
}

/** Offers the process that has replaced an ended one; the dialog shows its commands first. */
function FollowButton({ status }: { status: LiveStatus }): ReactElement | null {
  const { showDialog } = useWorkbench();
  const { successor, options, target } = status;
  if (successor === null) return null;
  const { pid, startTicks } = successor;
  const initial = { options: { ...options, scope: { kind: 'pid', pid, startTicks } as const }, process: successor };
  return (
    <Button
      className="primary"
      onClick={() => showDialog({ kind: 'record', purpose: { kind: 'live' }, targets: [target], initial })}
    >
      Watch {pid}
    </Button>
  );
}

/** The newest event other than the start. */
function NewestEvent({ status }: { status: LiveStatus }): ReactElement | null {
  const event = status.events.findLast(({ kind }) => kind !== 'started');
  if (event === undefined) return null;
  const all = status.events.map(({ at, text }) => `${new Date(at).toLocaleTimeString()} ${text}`).join('\n');
  return <span title={visibleText(all)}>{visibleText(event.text)}</span>;
}
