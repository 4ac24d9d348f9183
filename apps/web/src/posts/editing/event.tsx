import { Button } from '@mantine/core';
import type { EventOfPost } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { CalendarDays, MapPin, Users } from 'lucide-react';
import { useState } from 'react';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { type EventDraft, EventFields, eventDraftOf, eventFaults, writtenEvent } from '../../write/event-fields.tsx';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultsOf, NO_FAULTS, useShowError } from '../../write/faults.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { nameOf } from '../user-name.ts';
import { type Capabilities, type Post, refetchPost } from './save-part.ts';

const ANSWERS = [1, 2, 3] as const;

/** Time and place of an event, its guests, and the caller's answer. */
export function Event({ post, event, capabilities }: { post: Post; event: EventOfPost; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const showError = useShowError();
  const formats = useFormats();
  const [draft, setDraft] = useState<{ event: EventDraft; token: number }>();
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const { startAt, endAt, allDay, location, participantsCount = 0, participateTypeId } = event;
  const [open, setOpen] = useState(false);
  const [start, end] = [startAt, endAt].map((at) => (at?.utcDatetime ? Date.parse(at.utcDatetime) : undefined));
  const when = start === undefined ? '' : (allDay ? formats.day : formats.moment)(start, end);
  const answer = async (typeId: (typeof ANSWERS)[number]) => {
    try {
      await portal.posts.answerEvent({ postId: post.id!, typeId });
      await refetchPost(post.id!);
    } catch (error) {
      showError(error, () => answer(typeId));
    }
  };
  const edit = async () => {
    try {
      const { contentData, occToken } = await portal.posts.editEventForm({ postId: post.id!, loadAttachments: false });
      setFaults(NO_FAULTS);
      setDraft({ event: eventDraftOf(contentData?.event ?? {}), token: occToken! });
    } catch (error) {
      showError(error, edit);
    }
  };
  const save = async () => {
    if (!draft) return;
    const found = eventFaults(draft.event, texts);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      // The write replaces the whole post content, so members outside of the event are sent back
      // unchanged.
      const { contentData, occToken } = await portal.posts.editEventForm({
        postId: post.id!,
        loadAttachments: false,
      });
      if (occToken !== draft.token) return setFaults({ '': texts.conflictInForm });
      await portal.posts.editEvent({
        postId: post.id!,
        occToken: draft.token,
        title: contentData?.title,
        description: contentData?.descriptionDelta,
        event: writtenEvent(draft.event),
      });
      setDraft(undefined);
      await refetchPost(post.id!);
    } catch (error) {
      setFaults(faultsOf(error, texts));
    }
  };
  if (draft)
    return (
      <form
        noValidate
        className="event-edit"
        aria-label={texts.editEvent}
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void save();
        }}
      >
        <EventFields
          event={draft.event}
          onChange={(next) => setDraft({ ...draft, event: next })}
          communityId={post.communityId!}
          faults={faults}
        />
        <Fault text={faults['']} />
        <div className="buttons">
          <Button size="xs" type="submit">
            {texts.save}
          </Button>
          <Button size="xs" variant="default" onClick={() => setDraft(undefined)}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    );
  return (
    <section className="event" aria-label={texts.event}>
      <p>
        <CalendarDays size={14} aria-hidden /> {when}
      </p>
      {location && (
        <p>
          <MapPin size={14} aria-hidden /> <bdi>{location}</bdi>
        </p>
      )}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Users size={14} aria-hidden /> {texts.participants(formats.count(participantsCount))}
        </summary>
        {open && <Guests postId={post.id!} />}
      </details>
      {/* biome-ignore lint/a11y/useSemanticElements: they are no fields of a form */}
      <div className="buttons" role="group" aria-label={texts.answer}>
        {ANSWERS.map((typeId) => (
          <Button
            key={typeId}
            size="xs"
            variant={participateTypeId === typeId ? 'filled' : 'default'}
            aria-pressed={participateTypeId === typeId}
            onClick={() => void answer(typeId)}
          >
            {texts.answers[typeId - 1]}
          </Button>
        ))}
        {capabilities.canModify && (
          <Button size="xs" variant="subtle" onClick={() => void edit()}>
            {texts.editEvent}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Guests: invited people, people who answered, and invited groups. */
function Guests({ postId }: { postId: number }) {
  const texts = useWriteTexts();
  const guests = useQuery({
    queryKey: ['post', postId, 'guests'],
    queryFn: () => portal.posts.guests({ postId, pageSize: 200 }),
  });
  if (guests.isPending) return <Loading />;
  if (guests.isError) return <Failed query={guests} />;
  const { items = [], invitedGroups = [], nextPageToken } = guests.data;
  return (
    <ul className="guests">
      {invitedGroups.map(({ id, name }) => (
        <li key={`group-${id}`}>{name}</li>
      ))}
      {items.map(({ user, answer = 0 }) => (
        <li key={user?.id}>
          {nameOf(user)} <span className="muted">{answer > 0 && texts.answers[answer - 1]}</span>
        </li>
      ))}
      {nextPageToken !== undefined && <li>…</li>}
    </ul>
  );
}
