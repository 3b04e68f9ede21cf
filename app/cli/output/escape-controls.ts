/** Lives in core, since the engine and the shell write to terminals too. */
export { escapeControls } from '#core/contract/escape-controls.ts';
