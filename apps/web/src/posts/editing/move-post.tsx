import { NativeSelect } from '@mantine/core';
import { type GetPostDefinitionResponse, type Input, ValidationError } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FieldValue } from '../../content/field-value.tsx';
import type { ShownField } from '../../content/shown-field.ts';
import { Loading } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { useDefinition, writableQuery } from '../../shared-queries.ts';
import { Fault } from '../../write/fault.tsx';
import { faultOf } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { useAllTexts } from '../../write/texts.ts';
import { useMoveTexts } from './move-texts.ts';
import type { Post } from './save-part.ts';

type Move = Omit<Input<'movePost'>, 'postId' | 'occToken'>;

/** Choices that are required before a post is moved. */
interface RequiredChoices {
  /** Fields whose values have no field in the other community. */
  readonly fieldIds: readonly number[];
  /** States of the other community to choose from; empty if the state is known. */
  readonly stateIds: readonly number[];
}

/** The fields of posts and the fields of screens: values never move from one kind to the other. */
const partsOf = ({ fieldDefinitions = [], workflowDefinition }: GetPostDefinitionResponse): ShownField[][] => [
  fieldDefinitions,
  workflowDefinition?.screenFieldMetadatas ?? [],
];

/** Moves the post with the present concurrency token: the last write wins. */
async function move(postId: number, where: Move, dryRun = false) {
  const { occToken } = await portal.posts.readForEdit({ postId, loadAttachments: false });
  await portal.posts.move({ postId, occToken: occToken!, ...where, ...(dryRun && { dryRun }) });
}

/**
 * Tries a move.
 * @returns the choices that are required first
 * @throws for any other refusal
 */
async function previewMove(postId: number, communityId: number): Promise<RequiredChoices> {
  try {
    await move(postId, { communityId }, true);
    return { fieldIds: [], stateIds: [] };
  } catch (error) {
    if (!(error instanceof ValidationError) || error.errors.some(({ code }) => code !== 'MAPPING_REQUIRED'))
      throw error;
    const argsOf = (name: string) =>
      error.errors.flatMap(({ field, args = [] }) => (field === name ? args.map(Number) : []));
    return { fieldIds: argsOf('fieldMapping'), stateIds: argsOf('stateId') };
  }
}

/**
 * Moves a post: the target community, and choices for values and states that do not exist there.
 */
export function MovePost({ post, onClose }: { post: Post; onClose: () => void }) {
  const texts = useAllTexts();
  const words = useMoveTexts();
  const navigate = useNavigate();
  const postId = post.id!;
  const [chosen, setChosen] = useState<Choice>();
  const [targets, setTargets] = useState<Readonly<Record<number, number>>>({});
  const [stateId, setStateId] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const writable = useQuery(writableQuery);
  const to = chosen && Number(chosen.id);
  const here = useDefinition(post.communityId!).data;
  const there = useDefinition(to ?? 0, to !== undefined).data;
  const preview = useQuery({
    queryKey: ['move', postId, to],
    enabled: to !== undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: () => previewMove(postId, to!),
  });
  const { fieldIds = [], stateIds = [] } = preview.data ?? {};
  const sources = (here ? partsOf(here) : []).flatMap((fields, part) =>
    fields.filter(({ id }) => fieldIds.includes(id!)).map((field) => ({ field, part })),
  );
  const states = there?.workflowDefinition?.states?.filter(({ id }) => stateIds.includes(id!)) ?? [];
  const mapping = fieldIds.map((fromId) => ({ fromId, ...(targets[fromId] && { toId: targets[fromId] }) }));
  const lost = mapping.some(({ toId }) => toId === undefined);
  const errorText = (error: unknown) => faultOf(error, texts);
  const showPost = async () => {
    await queryClient.invalidateQueries();
    await navigate({ to: '/post/$postId', params: { postId: String(postId) } });
  };
  const undo = async () => {
    try {
      // The version before the move keeps the lost values.
      const { items = [] } = lost ? await portal.posts.versions({ postId, pageSize: 2 }) : {};
      await move(postId, {
        communityId: post.communityId!,
        ...(post.currentWorkflowState && { stateId: post.currentWorkflowState.id }),
        fieldMapping: mapping.flatMap(({ fromId, toId }) => (toId ? [{ fromId: toId, toId: fromId }] : [])),
      });
      const before = items.find(({ versionNumber }) => versionNumber !== 0);
      if (before) {
        const { occToken } = await portal.posts.readForEdit({ postId, loadAttachments: false });
        await portal.posts.restoreVersion({ postId, versionNumber: before.versionNumber!, occToken: occToken! });
      }
      await showPost();
      showNotice(words.movedBack);
    } catch (error) {
      showNotice(errorText(error));
    }
  };
  const run = async () => {
    if (to === undefined || !preview.data || busy) return setFault(texts.required);
    if (states.length > 0 && stateId === undefined) return setFault(words.chooseState);
    setBusy(true);
    try {
      await move(postId, { communityId: to, fieldMapping: mapping, ...(states.length > 0 && { stateId }) });
    } catch (error) {
      setBusy(false);
      return setFault(errorText(error));
    }
    onClose();
    await showPost();
    showNotice(words.moved(post.title || texts.untitled, chosen!.label), { label: texts.undo, run: undo });
  };
  const known = fault ?? (preview.error ? errorText(preview.error) : undefined);
  return (
    <FormDialog
      label={words.title}
      className="post-dialog"
      send={{ label: words.move, busy, disabled: !preview.data }}
      onSend={() => void run()}
      onClose={onClose}
    >
      <Picker
        label={texts.inCommunity}
        several={false}
        required
        offer={{
          options: (writable.data ?? []).flatMap(({ id, name }) =>
            id === post.communityId ? [] : [{ id: id!, label: name ?? '' }],
          ),
        }}
        value={chosen ? [chosen] : []}
        onChange={([next]) => {
          setChosen(next);
          setTargets({});
          setStateId(undefined);
          setFault(undefined);
        }}
      />
      {to !== undefined && preview.isPending && <Loading />}
      {preview.data && <p className="muted">{fieldIds.length > 0 ? words.someLost : words.allKept}</p>}
      {there &&
        sources.map(({ field, part }) => (
          <NativeSelect
            key={field.id}
            label={field.label}
            description={
              <FieldValue
                field={field}
                value={post.customData?.[String(field.id)] ?? post.currentWorkflowScreenData?.[String(field.id)]}
                unlinked
              />
            }
            data={[
              { value: '', label: words.lose },
              ...partsOf(there)[part]!.flatMap(({ id, label, type }) =>
                type === field.type ? [{ value: String(id), label: words.into(label ?? '') }] : [],
              ),
            ]}
            value={String(targets[field.id!] ?? '')}
            onChange={({ currentTarget: { value } }) => setTargets({ ...targets, [field.id!]: Number(value) })}
          />
        ))}
      {states.length > 0 && (
        <NativeSelect
          label={texts.state}
          required
          data={[
            { value: '', label: texts.choose },
            ...states.map(({ id, name }) => ({ value: String(id), label: name ?? '' })),
          ]}
          value={String(stateId ?? '')}
          onChange={({ currentTarget: { value } }) => setStateId(value === '' ? undefined : Number(value))}
        />
      )}
      <Fault text={known} />
    </FormDialog>
  );
}
