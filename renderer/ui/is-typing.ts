/** Inputs that contain text, which have their own undo. */
const TEXT_FIELD = 'textarea, input:not([type=radio], [type=checkbox], [type=range], [type=color], [type=button])';

/** Returns whether a key press or a paste belongs to a text field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(TEXT_FIELD) !== null);
}
