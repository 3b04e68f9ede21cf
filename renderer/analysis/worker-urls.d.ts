/** The address of a worker's script in the build; the window's own types have it from vite/client, which brings the DOM's with it. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
