/** The filter of a webhook: that of the list of one community. */
import { TextInput } from '@mantine/core';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { type KeyboardEvent, useState } from 'react';
import { FilterBar } from '../../communities/filter-bar.tsx';
import { conditionsOf, type Filter, momentFieldsOf } from '../../communities/filters.ts';
import { filtersOf } from '../../communities/views.ts';
import { useDefinition } from '../../shared-queries.ts';
import { useTexts } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { useWebhooksTexts } from './texts.ts';
import type { WebhookForm } from './use-webhooks.ts';

/** A filter as requests hold it; undefined without conditions. */
export type WebhookFilter = WebhookForm['filter'];

interface FilterProps {
  readonly filter: WebhookFilter;
  readonly onChange: (filter: WebhookFilter) => void;
}

/** The conditions on posts of the chosen community. @param communityIds of the webhook */
export function FilterInput({
  communityIds,
  fault,
  ...props
}: FilterProps & { communityIds: readonly number[]; fault: string | undefined }) {
  const words = useWebhooksTexts();
  const [communityId, ...others] = communityIds;
  return (
    <fieldset className="choices">
      <legend>{words.filter}</legend>
      {communityId === undefined || others.length > 0 ? (
        <p className="muted">{words.filterNeedsOne}</p>
      ) : (
        <Conditions communityId={communityId} {...props} />
      )}
      <Fault text={fault} />
    </fieldset>
  );
}

/** The conditions, as soon as the community is read. Conditions that the page cannot show stay until they are removed. */
function Conditions({ communityId, filter, onChange }: FilterProps & { communityId: number }) {
  const texts = useTexts();
  const words = useWebhooksTexts();
  const definition = useDefinition(communityId);
  if (definition.isPending) return <p className="muted">{texts.loading}</p>;
  const shown = definition.data && filtersOf(filter ?? {}, definition.data, texts);
  if (shown && !shown.unsupported)
    return (
      <Chips
        key={communityId}
        definition={definition.data!}
        initial={{ filters: shown.filters, text: shown.text ?? '' }}
        onChange={onChange}
      />
    );
  if (!filter) return <p className="muted">{texts.forbidden}</p>;
  return (
    <>
      <p className="muted">{words.filterKept}</p>
      <button type="button" className="quiet" onClick={() => onChange(undefined)}>
        {words.removeFilter}
      </button>
    </>
  );
}

/** Conditions as the list of the community shows them. */
interface Shown {
  readonly filters: readonly Filter[];
  readonly text: string;
}

function Chips({
  definition,
  initial,
  onChange,
}: {
  definition: GetPostDefinitionResponse;
  initial: Shown;
  onChange: FilterProps['onChange'];
}) {
  const words = useWebhooksTexts();
  // Conditions that lack their values yet are in no filter.
  const [shown, setShown] = useState(initial);
  const change = (part: Partial<Shown>) => {
    const next = { ...shown, ...part };
    setShown(next);
    onChange(filterOf(next, definition));
  };
  return (
    <>
      <p className="muted">{words.filterHint}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter ends the input of a value, it does not send the form */}
      <div onKeyDown={keepForm}>
        <FilterBar definition={definition} filters={shown.filters} onChange={(filters) => change({ filters })} />
      </div>
      <TextInput
        label={words.words}
        value={shown.text}
        onChange={({ currentTarget: { value } }) => change({ text: value })}
      />
    </>
  );
}

/** Enter in an input of a filter does not send the form around it. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Returns conditions as requests hold them. */
function filterOf({ filters, text }: Shown, definition: GetPostDefinitionResponse): WebhookFilter {
  const { communityAttachmentFilters, ...posts } = conditionsOf(filters, momentFieldsOf(definition));
  const onPosts = { ...posts, ...(text !== '' && { containsText: text }) };
  const filter = {
    ...(Object.keys(onPosts).length > 0 && { communityPostFilters: onPosts }),
    ...(communityAttachmentFilters && { communityAttachmentFilters }),
  };
  return Object.keys(filter).length > 0 ? (filter as WebhookFilter) : undefined;
}
