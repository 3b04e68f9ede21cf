import { useRef, type ReactElement } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { usePart } from '../../ui/parts.tsx';
import { useProfileTab, useTabState } from '../../state/profile/context.ts';

const BY_CONTENT = '';

/** The format in which the input was read; another one can be forced. */
export function FormatSelect({ caption }: { caption: string }): ReactElement {
  const field = useRef<HTMLSelectElement>(null);
  usePart('format', field);
  const tab = useProfileTab();
  const formats = useTabState((state) => state.formats);
  const forced = useTabState((state) => state.format);
  const found = useTabState((state) => state.profile?.metadata.format ?? null);
  const foundLabel = formats.find((format) => format.id === found)?.label ?? found;
  return (
    <label className="select">
      <span className="caption">{caption}</span>
      <select
        ref={field}
        value={forced ?? BY_CONTENT}
        title={foundLabel === null ? undefined : `Read as ${foundLabel}`}
        onChange={(event) => void tab.load(event.target.value === BY_CONTENT ? null : event.target.value)}
      >
        <option value={BY_CONTENT}>{forced === null && foundLabel !== null ? foundLabel : 'by content'}</option>
        {formats.map((format) => (
          <option key={format.id} value={format.id}>
            {format.label}, forced
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </label>
  );
}
