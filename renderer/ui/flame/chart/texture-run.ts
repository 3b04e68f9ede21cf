/** Adjacent columns that show one function, as weights. */
export interface TextureRun {
  readonly func: number;
  readonly first: number;
  readonly last: number;
}
