import type { CommandSource, Features } from '../state/features.ts';
import { compare } from './compare/register.tsx';
import { experiments } from './experiments/register.tsx';
import { library } from './library/register.ts';
import { profile } from './profile/register.tsx';
import { readByPerf } from './read-by-perf/register.tsx';
import { record } from './record/register.tsx';
import { settings } from './settings/register.tsx';
import { targets } from './targets/register.tsx';
import { terminal } from './terminal/register.tsx';
import { time } from './time/register.ts';
import { transforms } from './transforms/register.tsx';

/** Everything that features bring to the window. The order of commands is that of the palette. */
export const features: Features = {
  commands: [record, settings, library, targets, readByPerf, profile, transforms, time, compare].map(
    ({ commands }): CommandSource => commands,
  ),
  dialogs: {
    ...record.dialogs,
    ...settings.dialogs,
    ...targets.dialogs,
    ...readByPerf.dialogs,
    ...transforms.dialogs,
    ...experiments.dialogs,
  },
  tabs: { ...profile.tabs, ...compare.tabs },
  regions: { ...library.regions, ...terminal.regions },
};
