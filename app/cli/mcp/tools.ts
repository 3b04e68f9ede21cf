import { comparisonTools } from './comparison-tools.ts';
import { profileTools } from './profile-tools.ts';
import type { McpTool } from './tool.ts';

/** All tools, in the order of the list. */
export const tools: readonly McpTool[] = [...profileTools, ...comparisonTools];
