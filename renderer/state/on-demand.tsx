import type { ComponentType } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { toProblem } from './problem.ts';

/** Returns a component that is loaded when it is first shown. If loading fails, it shows why. */
export const onDemand = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazyPart(load, (error) => <ProblemView problem={toProblem(error)} />);
