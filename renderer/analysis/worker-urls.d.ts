/**
 * Declares the URL of a worker's script in the build. The window has this type from vite/client, which would also bring
 * DOM types.
 */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
