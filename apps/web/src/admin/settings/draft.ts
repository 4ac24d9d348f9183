/** The settings of the portal as their form holds them. */
import type { Input, Output } from '@portico/sdk';

export type Settings = Output<'getTenantSettings'>;

/** Texts that the form holds as a line for each value. */
const LISTS = ['corsOrigins', 'audiences', 'loginDomains'] as const;

/** Switches that everybody who edits the settings may change. */
const SWITCHES = ['notificationMails', 'notificationPush'] as const;

/** Whole numbers by the unit of the form, in units of the interface. */
const NUMBERS = {
  sessionIdleSeconds: 3600,
  sessionSeconds: 86_400,
  accessTokenSeconds: 60,
  notificationRetentionDays: 1,
  auditRetentionDays: 1,
} as const;

export type ListName = (typeof LISTS)[number];
export type NumberName = keyof typeof NUMBERS;
export type SwitchName = (typeof SWITCHES)[number];

export interface SettingsDraft
  extends Readonly<Record<ListName | NumberName, string>>,
    Readonly<Record<SwitchName, boolean>> {
  readonly name: string;
  readonly defaultLanguage: string;
  readonly defaultTimezone: string;
  readonly requireSecondFactor: 'nobody' | 'administrators' | 'all';
  readonly requireProvider: boolean;
}

/** Returns a number of the interface in the unit of the form. */
const shown = (value: number | undefined, unit: number): string =>
  value === undefined ? '' : String(Math.round((value / unit) * 100) / 100);

export function draftOf(settings: Settings): SettingsDraft {
  const lists = LISTS.map((name) => [name, (settings[name] ?? []).join('\n')]);
  const numbers = Object.entries(NUMBERS).map(([name, unit]) => [name, shown(settings[name as NumberName], unit)]);
  return {
    ...(Object.fromEntries([...lists, ...numbers]) as Record<ListName | NumberName, string>),
    ...(Object.fromEntries(SWITCHES.map((name) => [name, settings[name] ?? false])) as Record<SwitchName, boolean>),
    name: settings.name ?? '',
    defaultLanguage: settings.defaultLanguage ?? 'en',
    defaultTimezone: settings.defaultTimezone ?? 'UTC',
    requireSecondFactor: settings.requireSecondFactor ?? 'nobody',
    requireProvider: settings.requireProvider ?? false,
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Returns the names of the numbers that are none. */
export const badNumbers = (draft: SettingsDraft): NumberName[] =>
  (Object.keys(NUMBERS) as NumberName[]).filter((name) => draft[name] !== '' && !(Number(draft[name]) > 0));

/**
 * Returns the request that saves the draft. A number that the form shows rounded and nobody changed
 * keeps its exact value.
 */
export function requestOf(draft: SettingsDraft, settings: Settings): Input<'editTenantSettings'> {
  const before = draftOf(settings);
  const numbers = Object.entries(NUMBERS).flatMap(([key, unit]) => {
    const name = key as NumberName;
    const value = draft[name] === before[name] ? settings[name] : Math.round(Number(draft[name]) * unit);
    return draft[name] === '' || value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(SWITCHES.map((name) => [name, draft[name]])),
    name: draft.name.trim(),
    defaultLanguage: draft.defaultLanguage,
    defaultTimezone: draft.defaultTimezone,
    corsOrigins: linesOf(draft.corsOrigins),
    audiences: linesOf(draft.audiences),
    loginDomains: linesOf(draft.loginDomains),
    ...(draft.requireSecondFactor !== before.requireSecondFactor && {
      requireSecondFactor: draft.requireSecondFactor,
    }),
    ...(draft.requireProvider !== before.requireProvider && { requireProvider: draft.requireProvider }),
    occToken: settings.occToken!,
  };
}

/** Whether the draft asks more of people who sign in than the settings do. */
export const tightens = (draft: SettingsDraft, settings: Settings): boolean =>
  (draft.requireProvider && settings.requireProvider !== true) ||
  (draft.requireSecondFactor !== 'nobody' && draft.requireSecondFactor !== settings.requireSecondFactor);
