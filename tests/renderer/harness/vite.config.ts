import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { xtermWithoutStyles } from '../../../scripts/xterm-without-styles.ts';
import { zodForThePage } from '../../../scripts/zod-for-the-page.ts';

/** The pages of components alone: served with hot reload by `npm run harness`, built by the component tests. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), xtermWithoutStyles(), zodForThePage()],
  build: { target: 'chrome130', modulePreload: false, assetsInlineLimit: 0 },
});
