/** Names the Node that runs the engine, since that of Electron 9 cannot. */
export const ENGINE_NODE = 'FLAMEBENCH_TEST_ENGINE_NODE';
