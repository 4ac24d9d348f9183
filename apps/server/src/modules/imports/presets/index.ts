/** Mappings for exports of other programs, by name. */
import type { ImportPreset } from '@portico/contract';
import { asana } from './asana.ts';
import { githubIssues } from './github-issues.ts';
import { jira } from './jira.ts';
import { portico } from './portico.ts';
import { redmine } from './redmine.ts';
import { trello } from './trello.ts';

const presets: Readonly<Record<ImportPreset, (zone: string) => string>> = {
  jira,
  redmine,
  trello,
  asana,
  'github-issues': githubIssues,
  portico,
};

/** Names of the presets. */
export const PRESET_NAMES = Object.keys(presets) as ImportPreset[];

/** Returns the mapping of a preset. @param timezone of times without an offset */
export function presetText(name: ImportPreset, timezone: string): string {
  return presets[name](JSON.stringify(timezone));
}
