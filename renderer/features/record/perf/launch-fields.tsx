import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { quoteArgv } from '#core/contract/quote-argv.ts';
import { startArgv } from '#core/contract/launched-command.ts';
import type { CaptureDocument, Scope } from '#core/contract/schemas.ts';
import { REDACTED } from '#core/redact/secret-shapes.ts';
import { MonoField, SelectField } from '../../../ui/fields/labelled-fields.tsx';
import { useWorkbenchState } from '../../../state/workbench-context.ts';
import type { PageProps } from '../dialog-fields.tsx';
import { hasLink } from '../form-fields.ts';
import { commandFields, type PerfForm } from './perf-form.ts';

/** Commands that are offered again. */
const MAX_RECENT = 12;
const MAX_LABEL = 90;

type Command = Extract<Scope, { kind: 'command' }>;

/** Where the launched command runs, and the commands of recent captures. */
export function LaunchFields(props: PageProps<PerfForm>): ReactElement {
  const captures = useWorkbenchState((state) => state.captures) ?? [];
  const recent = recentCommands(captures);
  const { form, wrongField, onChange } = props;
  return (
    <>
      <div className="record-launch">
        <MonoField
          label="Working folder"
          value={form.cwd}
          isWrong={wrongField === 'cwd'}
          placeholder={hasLink(form) ? 'home folder' : 'where Flamebench was started'}
          onChange={(cwd) => onChange({ cwd })}
        />
        <MonoField
          label="Environment"
          value={form.env}
          isWrong={wrongField === 'env'}
          placeholder="MODE=bench NAME='two words'"
          onChange={(env) => onChange({ env })}
        />
      </div>
      {recent.size > 0 && (
        <SelectField
          label="Recent commands"
          wide
          value=""
          options={[
            { value: '', label: 'choose one to fill in the fields' },
            ...[...recent.keys()].map((value) => ({ value, label: visibleText(value.slice(0, MAX_LABEL)) })),
          ]}
          onChange={(chosen) => {
            const command = recent.get(chosen);
            if (command !== undefined) onChange(commandFields(command));
          }}
        />
      )}
    </>
  );
}

/** Returns the commands that captures launched, the newest first; not those whose secrets were not stored. */
export function recentCommands(
  captures: readonly Pick<CaptureDocument, 'options' | 'createdAt'>[],
): ReadonlyMap<string, Command> {
  const recent = new Map<string, Command>();
  for (const { options } of [...captures].sort((one, other) => other.createdAt - one.createdAt)) {
    if (options?.scope.kind !== 'command') continue;
    const line = quoteArgv(startArgv(options.scope));
    if (recent.size < MAX_RECENT && !line.includes(REDACTED)) recent.set(line, options.scope);
  }
  return recent;
}
