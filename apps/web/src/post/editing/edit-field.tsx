import type { PostFieldDefinition } from '@portico/sdk';
import { FieldValue } from '../../content/field-value.tsx';
import { FieldInput } from '../../write/field-input.tsx';
import { useWriteTexts } from '../../write/texts.ts';
import { holdsOne, type InputValue, inputOf, kindOf, sameInput, shownOf, wireOf } from '../../write/values.ts';
import { InPlace } from './in-place.tsx';
import type { Part, Post } from './save-part.ts';
import { usePart } from './use-part.ts';

/** A custom field of a post, edited beside its label. */
export function EditField({ post, field }: { post: Post; field: PostFieldDefinition }) {
  const texts = useWriteTexts();
  const id = String(field.id);
  const part: Part<InputValue> = {
    name: field.label ?? '',
    read: ({ customData }) => inputOf(field, customData?.[id]),
    write: (value) => ({ customData: { [id]: wireOf(field, value) } }),
    same: sameInput,
  };
  const state = usePart(post, part);
  const kind = kindOf(field);
  // What is chosen by one action is saved by it.
  const atOnce = kind === 'flag' || (kind === 'choice' && holdsOne(field));
  const value = post.customData?.[id];
  const shown = (of: InputValue) => {
    try {
      return <FieldValue field={field} value={shownOf(field, of)} />;
    } catch {
      return String(of); // no value of the type, as it was typed
    }
  };
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
          onChange={(next) => (atOnce ? state.leave(next ?? []) : state.setValue(next))}
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

/** A text of several lines, in which Enter begins another. */
const isLong = ({ type }: PostFieldDefinition): boolean => type === 9;
