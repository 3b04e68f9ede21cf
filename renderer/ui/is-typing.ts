/** Inputs that hold text, which has an undo of its own. */
const TEXT_FIELD = 'textarea, input:not([type=radio], [type=checkbox], [type=range], [type=color], [type=button])';

/** A key press, or a paste, belongs to a text field. */
export function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(TEXT_FIELD) !== null);
}
