import { type PostActivityHistoryEvent, visibleName } from '@portico/sdk';
import type { ReactNode } from 'react';
import { FieldValue } from '../content/field-value.tsx';
import { LoadMore } from '../load-more.tsx';
import { Failed } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { useDefinition } from '../shared-queries.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { ChangedParts } from './changed-parts.tsx';
import { nameOf } from './user-name.ts';

/** The kind of event of an edit. */
const EDITED = 2;

/** The history of a post, newest first, in pages. */
export const useHistory = (postId: number) =>
  usePages(['history', postId], (page) => portal.posts.history({ postId, pageSize: 50, ...page }));

/** The history of a post, newest first, with the changed values if the interface gives them. */
export function History({ postId, communityId }: { postId: number; communityId: number }) {
  const events = useHistory(postId);
  if (events.isPending) return null;
  if (events.isError) return <Failed query={events} />;
  return (
    <>
      {events.data.map((event) => (
        <HistoryEvent key={event.id} event={event} communityId={communityId} postId={postId} />
      ))}
      <LoadMore query={events} />
    </>
  );
}

export function HistoryEvent({
  event,
  communityId,
  postId,
}: {
  event: PostActivityHistoryEvent;
  communityId: number;
  postId: number;
}) {
  const texts = useTexts();
  const formats = useFormats();
  return (
    <article className="comment">
      <p style={{ margin: 0 }}>
        <strong>{nameOf(event.authorUser)}</strong> {texts.happened[event.typeId!]}{' '}
        <span className="muted">{event.timestamp !== undefined && formats.moment(event.timestamp)}</span>
      </p>
      {event.typeId === EDITED ? (
        <ChangedParts postId={postId} communityId={communityId} event={event} />
      ) : (
        <Changes event={event} communityId={communityId} />
      )}
    </article>
  );
}

function Changes({ event, communityId }: { event: PostActivityHistoryEvent; communityId: number }): ReactNode {
  const texts = useTexts();
  const screenFields = useDefinition(communityId).data?.workflowDefinition?.screenFieldMetadatas ?? [];
  const { postBeforeUpdateTitle: before, postAfterUpdateTitle: after, postWorkflowOperationDetail: step } = event;
  const updated = new Set(event.updatedWorkflowScreenFieldIds);
  const values = event.workflowScreenData ?? {};
  const fields = screenFields.filter(
    ({ id }) => values[String(id)] !== undefined && (updated.size === 0 || updated.has(id!)),
  );
  return (
    <>
      {before !== undefined && after !== undefined && before !== after && (
        <p className="difference">
          <del>{before}</del> <ins>{after}</ins>
        </p>
      )}
      {step && (
        <p className="difference">
          {step.name}: {step.fromState?.name && <del>{step.fromState.name}</del>} <ins>{step.toState?.name}</ins>
        </p>
      )}
      {fields.map((field) => (
        <p key={field.id} className="difference">
          {field.label}: <FieldValue field={field} value={values[String(field.id)]} />
        </p>
      ))}
      {[
        ...(event.attachment?.name === undefined ? [] : [visibleName(event.attachment.name)]),
        ...(event.targetUser ? [nameOf(event.targetUser)] : []),
        ...(event.tasks ?? []).map(({ title }) => title ?? texts.untitled),
        ...(event.notes ? [event.notes] : []),
      ].map((line) => (
        <p key={line} className="difference muted">
          <bdi>{line}</bdi>
        </p>
      ))}
    </>
  );
}
