/** Faults of a draft, by the object that they are about. */
import { type CommunityFile, type CommunityPlanFinding, type FieldFault, ValidationError } from '@portico/sdk';

/** A fault in words. `refused`: the draft cannot be published with it. */
export interface DraftFault {
  readonly text: string;
  readonly refused: boolean;
}

/** Faults by place: `fields KEY`, `screenFields KEY`, `states KEY`, `transitions KEY`, `screens NAME`; `''` for the rest. */
export type DraftFaults = ReadonlyMap<string, readonly DraftFault[]>;

const LISTS = ['fields', 'screenFields', 'states', 'transitions', 'screens'] as const;
type ListName = (typeof LISTS)[number];

type Entry = { readonly key?: string; readonly name?: string; readonly label?: string };

function entriesOf(file: CommunityFile, list: ListName): readonly Entry[] {
  return (list === 'fields' ? file.fields : file.workflow?.[list]) ?? [];
}

/** Returns the place of an entry of a list. */
export const placeOf = (list: ListName, key: string | undefined): string => `${list} ${key ?? ''}`;

/** Returns the place that a path of the server names, such as `file.workflow.states[2].name`. */
export function placeOfPath(file: CommunityFile, path: string): string {
  const [, list, index] = /^file\.(?:workflow\.)?(\w+)\[(\d+)\]/.exec(path) ?? [];
  const known = LISTS.find((one) => one === list);
  if (known === undefined || (known !== 'fields') !== path.startsWith('file.workflow.')) return '';
  const entry = entriesOf(file, known)[Number(index)];
  return entry === undefined ? '' : placeOf(known, entry.key ?? entry.name);
}

function placeOfFinding(file: CommunityFile, finding: CommunityPlanFinding): string {
  const { transitionName, screenName, stateName, fieldLabel } = finding;
  const named: readonly (readonly [ListName, string | undefined])[] = [
    ['fields', fieldLabel],
    ['screenFields', fieldLabel],
    ['transitions', transitionName],
    ['screens', screenName],
    ['states', stateName],
  ];
  for (const [list, name] of named) {
    const entry =
      name === undefined ? undefined : entriesOf(file, list).find((one) => (one.label ?? one.name) === name);
    if (entry) return placeOf(list, entry.key ?? entry.name);
  }
  return '';
}

/** @param messageOf a refusal in words */
export function faultsOfDraft(
  file: CommunityFile,
  findings: readonly CommunityPlanFinding[],
  error: unknown,
  messageOf: (fault: FieldFault) => string,
): DraftFaults {
  const refusals = error instanceof ValidationError ? error.errors : [];
  const faults = [
    ...refusals.map((fault) => ({
      place: placeOfPath(file, fault.field ?? ''),
      fault: { text: messageOf(fault), refused: true },
    })),
    ...findings.map((finding) => ({
      place: placeOfFinding(file, finding),
      fault: { text: finding.text ?? '', refused: false },
    })),
  ];
  const byPlace = Map.groupBy(faults, ({ place }) => place);
  return new Map([...byPlace].map(([place, own]) => [place, own.map(({ fault }) => fault)]));
}
