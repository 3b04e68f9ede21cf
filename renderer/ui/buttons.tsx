import type { ComponentProps, ReactElement } from 'react';
import { Icon, type IconName } from './icons.tsx';
import type { ShortcutId } from './keys/shortcuts.ts';
import { useKeymap } from './keys/use-keymap.ts';

type ButtonProps = ComponentProps<'button'>;

const classes = (own: string, more: string | undefined): string => (more === undefined ? own : `${own} ${more}`);

/** A framed button; class `primary` for a dialog's default action. */
export function Button({ className, ...rest }: ButtonProps): ReactElement {
  return <button type="button" className={classes('button', className)} {...rest} />;
}

/** A button that looks like a link. */
export function LinkButton({ className, ...rest }: ButtonProps): ReactElement {
  return <button type="button" className={classes('link-button', className)} {...rest} />;
}

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'children'> {
  readonly icon: IconName;
  /** Accessible name; also the tooltip unless `title` says more. */
  readonly label: string;
  /** What the button does, if the tooltip should say its keys. */
  readonly shortcut?: ShortcutId;
}

export function IconButton({
  icon,
  label,
  title = label,
  shortcut,
  className,
  ...rest
}: IconButtonProps): ReactElement {
  const keymap = useKeymap();
  const keys = shortcut === undefined ? null : keymap.textOf(shortcut);
  return (
    <button
      type="button"
      className={classes('icon-button', className)}
      aria-label={label}
      title={keys === null ? title : `${title} (${keys})`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
