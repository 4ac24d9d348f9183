import { Button } from '@mantine/core';
import type { EventOfPost, Input } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { CalendarDays, MapPin, Users } from 'lucide-react';
import { useState } from 'react';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import {
  type EventDraft,
  EventFields,
  eventDraftOf,
  eventFaults,
  newEvent,
  writtenEvent,
} from '../../write/event-fields.tsx';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultsOf, NO_FAULTS, useShowError } from '../../write/faults.ts';
import type { Choice } from '../../write/input-values.ts';
import type { FormPart } from '../../write/merge/merge-fields.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { type FormVersion, useMergedForm } from '../../write/use-merged-form.tsx';
import { nameOf } from '../user-name.ts';
import { type Capabilities, type Post, refetchPost } from './save-part.ts';

/** A version of an event, with the members of the post that a write must repeat. */
interface EventVersion extends FormVersion<EventDraft> {
  readonly rest: Pick<Input<'editEventPost'>, 'title' | 'description' | 'coverImageContentRef' | 'linkPreview'>;
}

const ANSWERS = [1, 2, 3] as const;

/** Time and place of an event, its guests, and the caller's answer. */
export function Event({ post, event, capabilities }: { post: Post; event: EventOfPost; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const showError = useShowError();
  const formats = useFormats();
  const [draft, setDraft] = useState<{ event: EventDraft; begun: EventVersion }>();
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
  /** The newest version; members outside of the event are written back unchanged. */
  const read = async (): Promise<EventVersion> => {
    const form = await portal.posts.readEventForEdit({ postId: post.id!, loadAttachments: false });
    const { title, descriptionDelta: description, coverImageContentRef, event: saved } = form.contentData;
    const { linkPreview } = form;
    return {
      ...{ form: saved ? eventDraftOf(saved) : newEvent(), token: form.occToken!, by: nameOf(form.lastModifyUser) },
      // Omitted members would be emptied.
      rest: { title, description, coverImageContentRef, linkPreview },
    };
  };
  const edit = async () => {
    try {
      const begun = await read();
      setFaults(NO_FAULTS);
      setDraft({ event: begun.form, begun });
    } catch (error) {
      showError(error, edit);
    }
  };
  const { save: write, panel } = useMergedForm<EventDraft, EventVersion>({
    name: texts.event,
    parts: useEventParts(),
    read,
    write: (changed, { token, rest }) =>
      portal.posts.replaceEvent({ postId: post.id!, occToken: token, ...rest, event: writtenEvent(changed) }),
    change: (merged) => setDraft((before) => before && { ...before, event: merged }),
    send: (chosen) => void save(chosen),
  });
  const save = async (written = draft?.event) => {
    if (!draft || !written) return;
    const found = eventFaults(written, texts);
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    try {
      if (!(await write(written, draft.begun))) return;
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
        {panel}
        <div hidden={panel !== undefined}>
          <EventFields
            event={draft.event}
            onChange={(next) => setDraft({ ...draft, event: next })}
            communityId={post.communityId!}
            faults={faults}
          />
        </div>
        <Fault text={faults['']} />
        <div className="buttons">
          {panel === undefined && (
            <Button size="xs" type="submit">
              {texts.save}
            </Button>
          )}
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

/** How two changes of an event are merged. */
function useEventParts(): readonly FormPart<EventDraft>[] {
  const texts = useAllTexts();
  const formats = useFormats();
  const of = <K extends keyof EventDraft>(
    key: K,
    name: string,
    kind: FormPart<EventDraft>['kind'],
    show: (value: EventDraft[K]) => string,
  ): FormPart<EventDraft> => ({
    ...{ key, name, kind },
    read: (event) => event[key],
    write: (event, value) => ({ ...event, [key]: value }),
    show: (value) => show(value as EventDraft[K]),
  });
  const moment = (wall: string) => (wall.length > 10 ? formats.wall : formats.day)(Date.parse(`${wall}Z`));
  const names = (choices: readonly Choice[]) => choices.map(({ label }) => label).join(', ');
  return [
    of('starts', texts.starts, 'value', moment),
    of('ends', texts.ends, 'value', moment),
    of('allDay', texts.allDay, 'value', (is) => (is ? texts.yes : texts.no)),
    of('zone', texts.timeZone, 'value', String),
    of('location', texts.location, 'text', String),
    of('guests', texts.guests, 'choices', names),
    of('groups', texts.guestGroups, 'choices', names),
  ];
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
