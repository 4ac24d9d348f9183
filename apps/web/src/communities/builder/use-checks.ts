/** The plan of the draft as it is typed, and the forms and steps that people meet. */
import { useDebouncedValue } from '@mantine/hooks';
import { type CommunityFile, type FieldFault, type Input, type Output, ValidationError } from '@portico/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { portal } from '../../portal.ts';
import { useAllTexts } from '../../write/texts.ts';
import { type DraftFaults, faultsOfDraft } from './faults.ts';

/** Milliseconds without typing after which the server is asked. */
const PAUSE = 400;

export type Plan = Output<'planCommunity'>;

/** The person of a preview; neither: the caller. */
export interface Whom {
  readonly role?: string;
  readonly userId?: number;
}

/** The faults of the draft, from the last answer until the next one arrives. */
export function useDraftFaults(file: CommunityFile): { faults: DraftFaults; changes: number | undefined } {
  const texts = useAllTexts();
  const [asked] = useDebouncedValue(file, PAUSE);
  const plan = useQuery({
    queryKey: ['community-draft-plan', asked],
    queryFn: async () => {
      try {
        return { file: asked, plan: await portal.communities.planDefinition({ file: asked }), refusal: undefined };
      } catch (error) {
        // A refusal is the answer: it names what is wrong in the draft.
        if (!(error instanceof ValidationError)) throw error;
        return { file: asked, plan: undefined, refusal: error };
      }
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { data } = plan;
  const faults = useMemo(() => {
    const messageOf = (fault: FieldFault) =>
      fault.defaultMessage ?? texts.fieldError(fault, undefined) ?? texts.refusedValue;
    return data ? faultsOfDraft(data.file, data.plan?.findings ?? [], data.refusal, messageOf) : new Map();
  }, [data, texts]);
  return { faults, changes: data?.plan?.changesCount };
}

/** The forms and steps of the draft for a person, with the values of a post. */
export function usePreview(file: CommunityFile, trial: Omit<Input<'previewCommunity'>, 'file'>) {
  const [asked] = useDebouncedValue(JSON.stringify({ file, ...trial }), PAUSE);
  return useQuery({
    queryKey: ['community-draft-preview', asked],
    queryFn: () => portal.communities.previewDefinition(JSON.parse(asked) as Input<'previewCommunity'>),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
