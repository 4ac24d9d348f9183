import { useEffect, useRef } from 'react';
import { FieldValue } from '../../content/field-value.tsx';
import type { ShownField } from '../../content/shown-field.ts';
import { queryClient } from '../../portal.ts';
import { postQuery } from '../../shared-queries.ts';
import { useShowError } from '../../write/faults.ts';
import { FieldInput } from '../../write/field-input.tsx';
import {
  displayValueOf,
  equalInputs,
  type InputValue,
  inputOf,
  isFilled,
  isSingleValue,
  kindOf,
  textFormOf,
  wireOf,
} from '../../write/input-values.ts';
import type { MergeKind } from '../../write/merge/merge-values.ts';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { InPlace } from './in-place.tsx';
import { beginEdit, type Part, type Post, savePart } from './save-part.ts';
import { usePart } from './use-part.ts';

/** How two changes of a field are merged: texts by words, several choices as a set. */
export function mergeKindOf(field: ShownField): MergeKind {
  const kind = kindOf(field);
  if (kind === 'richText') return 'richText';
  if (kind === 'text') return textFormOf(field) === 'address' ? 'value' : 'text';
  return isSingleValue(field) || ['flag', 'day', 'instant', 'number'].includes(kind) ? 'value' : 'choices';
}

/** A custom field as a part of a post with an editor of its own. */
export const partOf = (field: ShownField): Part<InputValue> => {
  const id = String(field.id);
  return {
    key: id,
    name: field.label ?? '',
    field,
    read: ({ customData }) => inputOf(field, customData?.[id]),
    write: (value) => ({ customData: { [id]: wireOf(field, value) } }),
    same: equalInputs,
    merge: mergeKindOf(field),
  };
};

/** What an input holds, as the page shows values of the field. */
export function shownInput(field: ShownField, of: InputValue) {
  try {
    return <FieldValue field={field} value={displayValueOf(field, of)} />;
  } catch {
    return String(of); // not a value of the type: shown as typed
  }
}

/** Shows a notice of a written value, with Undo as long as nobody else has changed it. */
function useUndoNotice(postId: number, part: Part<InputValue>) {
  const texts = useAllTexts();
  const showError = useShowError();
  return (before: InputValue, mine: InputValue) => {
    const takeBack = async (): Promise<void> => {
      try {
        const post = await queryClient.fetchQuery(postQuery(postId));
        const begun = await beginEdit(post, part);
        const changed = !part.same(begun.base, mine);
        if (changed || (await savePart(post, part, begun, before)).kind === 'conflict')
          showNotice(texts.conflictTitle(part.name));
      } catch (error) {
        showError(error, takeBack);
      }
    };
    showNotice(texts.savedPart(part.name), { label: texts.undo, run: takeBack });
  };
}

/**
 * A custom field of a post, edited beside its label.
 * @param onEnd called once it is saved or the editing is cancelled
 * @param inList whether it is a cell of a list: its first value then has Undo, too
 */
export function EditField({
  post,
  field,
  onEnd,
  inList = false,
}: {
  post: Post;
  field: ShownField;
  onEnd?: () => void;
  inList?: boolean;
}) {
  const texts = useWriteTexts();
  const id = String(field.id);
  const part = partOf(field);
  const notify = useUndoNotice(post.id!, part);
  // A first value needs no Undo: emptying the field has the same effect.
  const state = usePart(post, part, (before, mine) => {
    if (inList || isFilled(before)) notify(before, mine);
  });
  const { mode } = state;
  const before = useRef(mode);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the mode counts
  useEffect(() => {
    if (mode === 'view' && before.current !== 'view') onEnd?.();
    before.current = mode;
  }, [mode]);
  const kind = kindOf(field);
  // A value that takes a single action to choose is saved at once.
  const atOnce = kind === 'flag' || (kind === 'choice' && isSingleValue(field));
  const value = post.customData?.[id];
  const shown = (of: InputValue) => shownInput(field, of);
  const { customData = {} } = post;
  return (
    <InPlace
      name={field.label ?? ''}
      state={state}
      view={
        value === undefined ? (
          <span className="muted">{texts.emptyValue}</span>
        ) : (
          <FieldValue field={field} value={value} />
        )
      }
      show={shown}
      submitByEnter={kind !== 'richText' && !isLong(field)}
      input={
        <FieldInput
          field={field}
          value={state.value}
          onChange={(next) => (atOnce ? state.finish(next ?? []) : state.setValue(next))}
          communityId={post.communityId!}
          values={Object.fromEntries(
            field.parentId === undefined
              ? []
              : [[String(field.parentId), inputOf({ ...field, type: 7 }, customData[String(field.parentId)])]],
          )}
          unlabelled
          active
        />
      }
    />
  );
}

/** Whether the field is a text of several lines, in which Enter starts a new line. */
const isLong = ({ type }: ShownField): boolean => type === 9;
