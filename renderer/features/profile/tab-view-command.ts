/** Something to do with the views of a tab; `id`: its shortcut's, where it has one. */
export interface TabViewCommand {
  readonly id: string;
  readonly name: string;
  readonly run: () => void;
}
