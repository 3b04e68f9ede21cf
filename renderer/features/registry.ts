import type { CommandSource, Features } from '../state/features.ts';
import { compare } from './compare/register.tsx';
import { experiments } from './experiments/register.tsx';
import { fleet } from './fleet/register.tsx';
import { library } from './library/register.tsx';
import { live } from './live/register.ts';
import { load } from './load/register.tsx';
import { notes } from './notes/register.ts';
import { profile } from './profile/register.tsx';
import { readByPerf } from './read-by-perf/register.tsx';
import { record } from './record/register.tsx';
import { reports } from './reports/register.tsx';
import { settings } from './settings/register.tsx';
import { summary } from './summary/register.tsx';
import { targets } from './targets/register.tsx';
import { terminal } from './terminal/register.tsx';
import { time } from './time/register.ts';
import { transforms } from './transforms/register.tsx';

/** The registrations of all features. The order of commands is that of the palette. */
export const features: Features = {
  commands: [
    record,
    live,
    settings,
    library,
    targets,
    readByPerf,
    profile,
    summary,
    transforms,
    time,
    compare,
    notes,
    load,
    fleet,
    reports,
  ].map(({ commands }): CommandSource => commands),
  dialogs: {
    ...record.dialogs,
    ...settings.dialogs,
    ...targets.dialogs,
    ...readByPerf.dialogs,
    ...transforms.dialogs,
    ...experiments.dialogs,
    ...reports.dialogs,
    ...load.dialogs,
    ...fleet.dialogs,
    ...library.dialogs,
    ...summary.dialogs,
  },
  tabs: { ...profile.tabs, ...compare.tabs, ...load.tabs },
  regions: { ...library.regions, ...terminal.regions },
};
