/** Mappings for exports of other programs, by name. */
import { githubIssues } from './github-issues.ts';
import { jira } from './jira.ts';
import { redmine } from './redmine.ts';
import { trello } from './trello.ts';

const presets = { jira, redmine, trello, 'github-issues': githubIssues } as const;

type PresetName = keyof typeof presets;

/** Names of the presets. */
export const PRESET_NAMES = Object.keys(presets) as PresetName[];

/** Returns the mapping of a preset. @param timezone of times without an offset */
export function presetText(name: PresetName, timezone: string): string {
  return presets[name](JSON.stringify(timezone));
}
