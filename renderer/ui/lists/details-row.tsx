import type { ComponentProps, ReactElement } from 'react';

/** The text of a row in a list of the details pane; a click goes to what it names. */
export const DetailsRow = (props: Omit<ComponentProps<'button'>, 'type' | 'className'>): ReactElement => (
  <button type="button" className="details-row mono ellipsis" {...props} />
);
