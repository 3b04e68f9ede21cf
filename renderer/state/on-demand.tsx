import type { ComponentType } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { toProblem } from './problem.ts';

/** A part of the window that is loaded when it is first shown; where it can't be, it says why in its place. */
export const onDemand = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, (error) => <ProblemView problem={toProblem(error)} />);
