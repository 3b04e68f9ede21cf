import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { zodAliases } from '../../../scripts/page-aliases.ts';
import { xtermGlobals } from '../../../scripts/xterm-globals.ts';

/** The pages of components alone: served with hot reload by `npm run harness`, built by the component tests. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), xtermGlobals()],
  resolve: { alias: zodAliases },
  build: { target: 'chrome130', modulePreload: false, assetsInlineLimit: 0 },
});
