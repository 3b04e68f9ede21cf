import type { ComponentProps, ReactElement } from 'react';
import { Icon, type IconName } from './icons.tsx';

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
  /** Accessible name. */
  readonly label: string;
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps): ReactElement {
  return (
    <button type="button" className={classes('icon-button', className)} aria-label={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
