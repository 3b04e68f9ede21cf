import { useEffect, useRef, type ReactElement } from 'react';
import { countText } from '#core/units/format.ts';
import { LinkButton } from '../buttons.tsx';

interface MoreRowsProps {
  /** Number of rows that the list above does not show; nothing is shown for 0 or less. */
  readonly hidden: number;
  readonly onMore: () => void;
}

/** The end of a long list: shows more of it as soon as it comes into view, or on a click. */
export function MoreRows({ hidden, onMore }: MoreRowsProps): ReactElement | null {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  });
  if (hidden <= 0) return null;
  return (
    <LinkButton ref={button} className="sidebar-hint" onClick={onMore}>
      {countText(hidden, 'more row')}
    </LinkButton>
  );
}
