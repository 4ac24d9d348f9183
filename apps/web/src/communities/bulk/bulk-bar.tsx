import './bulk.css';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { ArrowRight, PenLine, Trash2, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { isQuantity, numberText, sumOf } from '../../content/field-number.ts';
import { useKeys } from '../../shell/keys.ts';
import { OptionList } from '../../shell/option-list.tsx';
import { Popup } from '../../shell/popup.tsx';
import { useFormats, useTexts } from '../../texts/index.ts';
import { Menu } from '../../write/menu.tsx';
import type { Column } from '../columns.ts';
import { useListTexts } from '../texts.ts';
import type { ListedPost, ListQuery } from '../use-posts.ts';
import type { BulkAction } from './bulk-action.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { SelectMatching } from './select-matching.tsx';
import { useBulkTexts } from './texts.ts';

/** Actions on the selected posts. */
export function BulkBar({
  communityId,
  definition,
  listed,
  total,
  list: query,
  columns,
  selected,
  select,
  onStart,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse;
  /** The loaded posts of the list. */
  listed: readonly ListedPost[];
  /** Number of all posts of the list. */
  total: number | undefined;
  /** The query of the list. */
  list: ListQuery;
  /** The columns of the list: numbers in them are added up. */
  columns: readonly Column[];
  selected: ReadonlySet<number>;
  /** @param ids ids of the new selection */
  select: (ids: readonly number[]) => void;
  /** Called when an action is chosen. */
  onStart: () => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const bulk = useBulkTexts();
  const formats = useFormats();
  const [action, setAction] = useState<BulkAction>();
  const [found, setFound] = useState<readonly ListedPost[]>();
  const posts = useMemo(() => postsOf(listed, found, selected), [listed, found, selected]);
  // The selection of a filter ends with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is that of the list shown at the end
  useEffect(() => (found ? () => select([]) : undefined), [found]);
  const start = (chosen: BulkAction) => {
    onStart();
    setAction(chosen);
  };
  const clear = () => select([]);
  useKeys([{ key: 'Escape', label: list.clearSelection, run: clear }]);
  const states = new Set(posts.map(({ currentWorkflowState }) => currentWorkflowState?.id));
  if (posts.length === 0 && !action) return null;
  // A narrow list has no box for all rows.
  const narrow = window.matchMedia('(max-width: 768px)').matches;
  const steps = (definition.workflowDefinition?.transitions ?? []).filter(
    ({ fromState, toState }) => toState !== undefined && (fromState === undefined || states.has(fromState.id)),
  );
  const fields = (definition.fieldDefinitions ?? []).filter(
    ({ visibleInEdit, readonly }) => visibleInEdit !== false && !readonly,
  );
  return (
    <section className="bulk" aria-label={bulk.bar}>
      <strong aria-live="polite">{list.selected(formats.number(posts.length))}</strong>
      {!found && (narrow || listed.length === posts.length) && total !== undefined && total > posts.length && (
        <SelectMatching
          query={query}
          total={total}
          columns={columns}
          onFound={(all) => {
            setFound(all);
            select(all.map(({ id }) => id!));
          }}
        />
      )}
      <Sums posts={posts} columns={columns} />
      {steps.length > 0 && (
        <Menu
          className="quiet"
          label={bulk.step}
          button={
            <>
              <ArrowRight size={14} aria-hidden /> {bulk.step}
            </>
          }
          items={steps.map((step) => ({
            label: step.name ?? '',
            hint: `${step.fromState?.name ?? ''} → ${step.toState?.name ?? ''}`,
            run: () => start({ kind: 'step', step }),
          }))}
        />
      )}
      {fields.length > 0 && (
        <Popup
          label={bulk.edit}
          button={
            <>
              <PenLine size={14} aria-hidden /> {bulk.edit}
            </>
          }
        >
          <OptionList
            search={texts.search}
            options={fields.map((field) => ({ key: field.id!, label: field.label ?? '', field }))}
            onChoose={({ field }) => start({ kind: 'edit', field })}
          />
        </Popup>
      )}
      <button type="button" className="quiet" onClick={() => start({ kind: 'delete' })}>
        <Trash2 size={14} aria-hidden /> {bulk.delete}
      </button>
      <button
        type="button"
        className="quiet"
        aria-label={list.clearSelection}
        title={list.clearSelection}
        onClick={clear}
      >
        <X size={14} aria-hidden />
      </button>
      {action && (
        <BulkDialog
          action={action}
          posts={posts}
          communityId={communityId}
          workflow={definition.workflowDefinition}
          list={query}
          select={select}
          onClose={() => setAction(undefined)}
        />
      )}
    </section>
  );
}

/** The selected posts in the order of the list; posts that are not loaded come last. */
function postsOf(
  listed: readonly ListedPost[],
  found: readonly ListedPost[] = [],
  selected: ReadonlySet<number>,
): readonly ListedPost[] {
  const loaded = new Set(listed.map(({ id }) => id));
  return [...listed, ...found.filter(({ id }) => !loaded.has(id))].filter(({ id }) => selected.has(id!));
}

/** The sums of the numbers of the selected posts, for each column of numbers. */
function Sums({ posts, columns }: { posts: readonly ListedPost[]; columns: readonly Column[] }) {
  const bulk = useBulkTexts();
  const formats = useFormats();
  return columns.map(({ key, label, field }) => {
    if (!field || !isQuantity(field)) return null;
    const sum = sumOf(posts.map(({ customData }) => customData?.[String(field.id)]));
    if (sum === undefined) return null;
    const shown = numberText(field, typeof sum === 'bigint' ? String(sum) : sum, formats);
    return (
      <span key={key} className="muted">
        {bulk.sum(label, shown)}
      </span>
    );
  });
}
