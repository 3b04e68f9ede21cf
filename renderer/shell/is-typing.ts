/** The key press belongs to a field, or to a dialog or menu that is open over the window. */
export function isTyping(event: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open], .menu, .popover') !== null) return true;
  const { target } = event;
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}
