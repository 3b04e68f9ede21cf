import { spawn, type ChildProcess } from 'node:child_process';
import { expect, test } from './workbench.ts';
import { HOT_PYTHON, PY_SPY_FOLDER, pySpy, PYTHON } from '../support/py-spy.ts';
