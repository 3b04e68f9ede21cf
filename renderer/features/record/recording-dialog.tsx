import { useEffect, useRef, useState, type ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { RecordingStatus } from '#core/contract/schemas.ts';
import { bytes, clock, count } from '../../ui/format.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useWorkbench, useWorkbenchState } from '../../state/workbench-context.ts';
import { isGrowing, isOver, recordingName } from '../../state/recording-actions.ts';
import { TargetGate } from '../targets/target-gate.tsx';
import { RestartOffer } from './restart-offer.tsx';
import { HostStates } from './host-states.tsx';
import { STATE_NAMES } from './state-names.ts';
import { Button } from '../../ui/buttons.tsx';

/** A running recording: its progress, Stop (keeps the data) and Discard. Closing the dialog leaves it running. */
export function RecordingDialog({ recordingId }: { recordingId: string }): ReactElement | null {
  const { showDialog, recording } = useWorkbench();
  const status = useWorkbenchState((state) => state.recordings.get(recordingId) ?? null);
  const captures = useWorkbenchState((state) => state.captures);
  const [asked, setAsked] = useState<'stop' | 'cancel' | null>(null);
  if (status === null) return null;
  const over = isOver(status);
  const close = (): void => showDialog(null);
  return (
    <Dialog title={title(status)} className="recording-dialog" onClose={close}>
      <div className="dialog-body">
        <p className="ellipsis">{recordedText(status, recordingName(status, captures))}</p>
        <div className="recording-clock mono" role="timer" aria-label="Elapsed">
          {!over && <span className="dot live" />}
          {clock(status.elapsedMs)}
        </div>
        <dl className="recording-facts">
          <Fact name="samples" value={count(status.samples)} />
          <Fact name="lost" value={count(status.lost)} warn={status.lost > 0} />
          <Fact name="size" value={bytes(status.bytes)} />
          {status.runs > 1 && <Fact name="run" value={`${status.run + 1} of ${status.runs}`} />}
        </dl>
        {status.hosts.length > 1 && <HostStates hosts={status.hosts} />}
        {status.error !== null && (
          <ProblemView
            problem={{ code: 'recording-failed', message: status.error, remedy: null, details: messagesText(status) }}
          />
        )}
        {!over && status.finding !== undefined && (
          <RestartOffer recordingId={recordingId} message={status.finding.message} label={status.finding.label} />
        )}
        {!over && status.noGraphYet !== undefined && (
          <p className="dim">The graph opens when the recording ends: {status.noGraphYet}.</p>
        )}
        <Questions status={status} />
        <Messages status={status} />
      </div>
      <div className="dialog-actions">
        {over ? (
          <>
            {status.state === 'finished' && (
              <Button
                className="large primary"
                onClick={() => {
                  close();
                  recording.openResult(status);
                }}
              >
                {status.experimentId === undefined ? 'Open the capture' : 'Open the experiment'}
              </Button>
            )}
            <Button className="large" onClick={close}>
              Close
            </Button>
          </>
        ) : (
          <>
            <Button className="large" onClick={close}>
              Hide
            </Button>
            {isGrowing(status) && (
              <Button className="large" onClick={() => void recording.showGraph(recordingId)}>
                Show the graph so far
              </Button>
            )}
            <Button
              className="large danger"
              disabled={asked !== null}
              onClick={() => {
                setAsked('cancel');
                void recording.cancel(recordingId).finally(() => setAsked(null));
              }}
            >
              Cancel and discard
            </Button>
            <Button
              className="large primary"
              disabled={asked !== null || status.state === 'stopping'}
              onClick={() => {
                setAsked('stop');
                void recording.stop(recordingId).finally(() => setAsked(null));
              }}
            >
              Stop and keep
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Returns `page-server on web-1`; only the hosts before there is a capture. */
function recordedText({ hosts, captureId }: RecordingStatus, name: string): string {
  const where = hosts.map(({ host }) => host).join(', ');
  return visibleText(captureId === '' ? where : `${name} on ${where}`);
}

function title(status: RecordingStatus): string {
  const side = status.side === undefined ? '' : ` (${status.side})`;
  return status.runs > 1
    ? `${STATE_NAMES[status.state]} · run ${status.run + 1} of ${status.runs}${side}`
    : STATE_NAMES[status.state];
}

/** Prompts of sudo or ssh during the recording. */
function Questions({ status }: { status: RecordingStatus }): ReactElement {
  const list = useWorkbenchState((state) => state.targets);
  const asking = (list?.targets ?? []).filter(
    (row) => row.state.kind === 'needs-you' && status.hosts.some(({ target }) => target === row.id),
  );
  return (
    <>
      {asking.map((row) => (
        <TargetGate key={row.id} row={row} />
      ))}
    </>
  );
}

function Fact({ name, value, warn = false }: { name: string; value: string; warn?: boolean }): ReactElement {
  return (
    <div className={warn ? 'warn' : ''}>
      <dt>{name}</dt>
      <dd className="mono">{value}</dd>
    </div>
  );
}

function messagesText(status: RecordingStatus): string | null {
  return status.messages.length === 0 ? null : visibleLines(status.messages);
}

function visibleLines(lines: readonly string[]): string {
  return lines.map((line) => visibleText(line)).join('\n');
}

/** The collector's messages, with the newest in view. */
function Messages({ status }: { status: RecordingStatus }): ReactElement | null {
  const box = useRef<HTMLTextAreaElement>(null);
  const text = visibleLines(status.messages);
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  });
  const { targets, showDialog } = useWorkbench();
  if (text === '') return null;
  const target = status.hosts[0]?.target;
  return (
    <>
      <textarea
        ref={box}
        className="recording-messages mono"
        readOnly
        aria-label="Messages of the collector"
        value={text}
      />
      <Button
        onClick={() => {
          showDialog(null);
          targets.showTerminal(target);
        }}
      >
        Show in terminal
      </Button>
    </>
  );
}
