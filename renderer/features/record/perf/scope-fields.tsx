import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { groupChoices } from '#core/contract/control-group.ts';
import { MonoField } from '../../../ui/fields/labelled-fields.tsx';
import { Segments } from '../../../ui/fields/segments.tsx';
import type { PageProps } from '../dialog-fields.tsx';
import { ProcessFields } from '../process-fields.tsx';
import { LaunchFields } from './launch-fields.tsx';
import type { PerfForm } from './perf-form.ts';

type ScopeFieldsProps = PageProps<PerfForm>;

/** The choice of what to record, for each side if two alternate. */
export function ScopeFields(props: ScopeFieldsProps): ReactElement {
  const { form, wrongField, onChange } = props;
  const isInTurn = form.purpose.kind === 'in-turn';
  const commandField = (field: 'command' | 'afterCommand', label: string): ReactElement => (
    <MonoField
      label={label}
      value={form[field]}
      isWrong={wrongField === field && form[field] !== ''}
      placeholder="./server --port 8080"
      onChange={(text) => onChange({ [field]: text })}
    />
  );
  switch (form.scope) {
    case 'pid':
      return <ProcessFields {...props} />;
    case 'cgroup':
      return <GroupFields {...props} />;
    case 'command':
      return (
        <div className="record-commands">
          {commandField('command', isInTurn ? 'Command before' : 'Command to launch and record')}
          {isInTurn && commandField('afterCommand', 'Command after')}
          <LaunchFields {...props} />
          <span className="dim">
            Quotes work as in a shell, but no shell runs the command. It ends with the recording; leave the duration
            empty to let it finish.
          </span>
        </div>
      );
    case 'system':
      return (
        <p className="panel-hint record-command">
          Every process on every CPU of the target, the kernel included. Needs root or <code>perf_event_paranoid</code>{' '}
          at 0 or less.
        </p>
      );
  }
}

/** A process is chosen to name its container, pod or unit; a path can also be typed. */
function GroupFields({ form, rows, wrongField, onChange }: ScopeFieldsProps): ReactElement {
  const process = form.processes.get(form.targets[0] ?? '');
  const choices = process === undefined ? [] : groupChoices(process);
  const chosen = choices.findIndex(({ path }) => path === form.groupPath);
  return (
    <>
      <p className="panel-hint record-command">
        All processes of one container, pod or systemd unit. Select any of its processes. Needs root or{' '}
        <code>perf_event_paranoid</code> at 0 or less.
      </p>
      <ProcessFields
        form={form}
        rows={rows}
        onChange={(change) => {
          const row = change.processes?.get(form.targets[0] ?? '');
          const [first] = row === undefined ? [] : groupChoices(row);
          const path = first?.path ?? row?.cgroup ?? '';
          onChange({ ...change, ...(row === undefined ? {} : { groupPath: path, groupName: first?.name ?? null }) });
        }}
      />
      <div className="record-commands">
        {choices.length > 1 && (
          <Segments
            label="What the process belongs to"
            value={String(chosen)}
            options={choices.map(({ name }, index) => ({
              value: String(index),
              label: visibleText(name.slice(0, 60)),
            }))}
            onChange={(index) => {
              const choice = choices[Number(index)]!;
              onChange({ groupPath: choice.path, groupName: choice.name });
            }}
          />
        )}
        <MonoField
          label="Control group"
          value={form.groupPath}
          isWrong={wrongField === 'groupPath' && form.groupPath !== ''}
          placeholder="/system.slice/nginx.service"
          onChange={(groupPath) => onChange({ groupPath, groupName: null })}
        />
      </div>
    </>
  );
}
