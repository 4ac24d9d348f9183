/** The treatments of data without a place, as the plan demands them. Pure. */
import type {
  CommunityFile,
  CommunityFileFieldChange,
  CommunityFileStateChange,
  CommunityPlanLoss,
} from '@portico/sdk';
import { type Form, fieldsOf } from './edit-file.ts';
import { optionsOf } from './form-fields.ts';

export type Treatment = 'keep' | 'map' | 'clear';

/** What a person chose for a loss. */
export interface Chosen {
  readonly treatment?: Treatment;
  /** Key of the state or the field that takes the data over. */
  readonly into?: string;
  /** Keys of values that take omitted values over; an empty text: none. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Returns a key of a loss, and the form of its field. */
export function lossKey({ kind, state, field, screenField }: CommunityPlanLoss): string {
  return [kind, state ?? '', field ?? '', screenField ?? ''].join(' ');
}

const formOf = ({ field }: CommunityPlanLoss): Form => (field === undefined ? 'screenFields' : 'fields');
const fieldKeyOf = ({ field, screenField }: CommunityPlanLoss) => field ?? screenField;

/** A key with its name. */
interface Named {
  readonly key: string;
  readonly label: string;
}

/** Returns the values of a list that the draft leaves out. */
export function omittedValues(
  loss: CommunityPlanLoss,
  published: CommunityFile,
  draft: CommunityFile,
): readonly Named[] {
  const key = fieldKeyOf(loss);
  const find = (file: CommunityFile) => fieldsOf(file, formOf(loss)).find((field) => field.key === key);
  const [before, after] = [find(published), find(draft)];
  const kept = new Set(after ? optionsOf(draft, after).map((option) => option.key) : []);
  return before ? optionsOf(published, before).filter((option) => !kept.has(option.key)) : [];
}

/** Returns the places that `map` may name: states, fields of the form, or values of the list. */
export function targetsOf(loss: CommunityPlanLoss, draft: CommunityFile): readonly Named[] {
  if (loss.kind === 'state')
    return (draft.workflow?.states ?? []).map(({ key = '', name = key }) => ({ key, label: name }));
  const fields = fieldsOf(draft, formOf(loss));
  if (loss.kind === 'values') {
    const field = fields.find(({ key }) => key === fieldKeyOf(loss));
    return field ? optionsOf(draft, field) : [];
  }
  return fields.map(({ key = '', label = key }) => ({ key, label }));
}

/** Returns the members of a request that treat the losses; leaves out what is not yet chosen. */
export function treatmentsOf(
  losses: readonly CommunityPlanLoss[],
  chosen: Readonly<Record<string, Chosen>>,
): { stateChanges: CommunityFileStateChange[]; fieldChanges: CommunityFileFieldChange[] } {
  const stateChanges: CommunityFileStateChange[] = [];
  const fieldChanges: CommunityFileFieldChange[] = [];
  for (const loss of losses) {
    const { treatment, into, values = {} } = chosen[lossKey(loss)] ?? {};
    if (treatment === undefined) continue;
    if (loss.kind === 'state') {
      if (treatment === 'keep') stateChanges.push({ state: loss.state!, onExisting: 'keep' });
      else if (into) stateChanges.push({ state: loss.state!, onExisting: 'map', into });
      continue;
    }
    const named = loss.field === undefined ? { screenField: loss.screenField! } : { field: loss.field };
    if (treatment !== 'map') fieldChanges.push({ ...named, onExisting: treatment });
    else if (loss.kind === 'values')
      fieldChanges.push({
        ...named,
        onExisting: 'map',
        values: Object.entries(values).map(([value, to]) => ({ value, ...(to !== '' && { into: to }) })),
      });
    else if (into) fieldChanges.push({ ...named, onExisting: 'map', into });
  }
  return { stateChanges, fieldChanges };
}

/** Returns whether a treatment says where all data go. @param omitted values without a place */
export function isComplete(loss: CommunityPlanLoss, chosen: Chosen | undefined, omitted: readonly Named[]): boolean {
  if (chosen?.treatment === undefined) return false;
  if (chosen.treatment !== 'map') return true;
  if (loss.kind !== 'values') return chosen.into !== undefined && chosen.into !== '';
  return omitted.every(({ key }) => chosen.values?.[key] !== undefined);
}
