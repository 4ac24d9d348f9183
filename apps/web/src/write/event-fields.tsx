import { TextInput } from '@mantine/core';
import type { EventPostData, EventPostDataInput } from '@portico/sdk';
import type { ComponentProps } from 'react';
import type { Texts } from '../texts/index.ts';
import { timeZone } from '../texts/time-zone.ts';
import { DayInput, MomentInput } from './day-input.tsx';
import type { Faults } from './faults.ts';
import type { Choice } from './input-values.ts';
import { Picker } from './picker.tsx';
import { useWriteTexts, type WriteTexts } from './texts.ts';

/** Input of an event: time, place and guests. Times are local times of the zone. */
export interface EventDraft {
  readonly starts: string;
  readonly ends: string;
  readonly allDay: boolean;
  readonly zone: string;
  readonly location: string;
  readonly guests: readonly Choice[];
  readonly groups: readonly Choice[];
}

export const newEvent = (): EventDraft => ({
  starts: '',
  ends: '',
  allDay: false,
  zone: timeZone(),
  location: '',
  guests: [],
  groups: [],
});

export function eventDraftOf(event: EventPostData): EventDraft {
  const { startAt, endAt, allDay = false, timezone, location = '', invitations } = event;
  const length = allDay ? 10 : 16;
  return {
    starts: startAt?.localDatetime?.slice(0, length) ?? '',
    ends: endAt?.localDatetime?.slice(0, length) ?? '',
    allDay,
    zone: timezone ?? timeZone(),
    location,
    guests: (invitations?.users ?? []).map(({ id, firstName, lastName }) => ({
      id: id!,
      label: [firstName, lastName].filter(Boolean).join(' '),
    })),
    groups: (invitations?.groups ?? []).map(({ id, name }) => ({ id: id!, label: name ?? '' })),
  };
}

export function eventFaults({ starts }: EventDraft, texts: Texts & WriteTexts): Faults {
  return starts === '' ? { event: texts.required } : {};
}

export function writtenEvent({ starts, ends, allDay, zone, location, guests, groups }: EventDraft): EventPostDataInput {
  const moment = (text: string) => ({ localDatetime: allDay ? text.slice(0, 10) : `${text}:00` });
  return {
    startAt: moment(starts),
    ...(ends !== '' && { endAt: moment(ends) }),
    ...(!allDay && { timezone: zone }),
    allDay,
    ...(location !== '' && { location }),
    invitations: { users: guests.map(({ id }) => ({ id })), groups: groups.map(({ id }) => ({ id })) },
  };
}

const AllDayInput = ({ time: _none, ...rest }: ComponentProps<typeof MomentInput>) => <DayInput {...rest} />;

/** Inputs of time, place and guests. */
export function EventFields({
  event,
  onChange,
  communityId,
  faults,
}: {
  event: EventDraft;
  onChange: (event: EventDraft) => void;
  communityId: number;
  faults: Faults;
}) {
  const texts = useWriteTexts();
  const Input = event.allDay ? AllDayInput : MomentInput;
  const shownTime = (text: string) => {
    if (event.allDay) return text.slice(0, 10);
    return text.length === 10 ? `${text}T09:00` : text;
  };
  const set = (changes: Partial<EventDraft>) => onChange({ ...event, ...changes });
  return (
    <div className="form-fields" data-place="event">
      <div className="event-times">
        <Input
          label={texts.starts}
          required
          withAsterisk
          value={shownTime(event.starts)}
          error={faults['event']}
          onChange={(starts) => set({ starts })}
          time="09:00"
        />
        <Input label={texts.ends} value={shownTime(event.ends)} onChange={(ends) => set({ ends })} time="10:00" />
        <label className="check-line">
          <input
            type="checkbox"
            checked={event.allDay}
            onChange={({ currentTarget: { checked } }) =>
              set({ allDay: checked, ...(event.starts.length === 10 && { starts: `${event.starts}T09:00` }) })
            }
          />
          {texts.allDay}
        </label>
      </div>
      <TextInput
        label={texts.location}
        dir="auto"
        value={event.location}
        onChange={({ currentTarget: { value } }) => set({ location: value })}
      />
      <Picker
        label={texts.guests}
        several
        offer={{ source: { of: 'people', id: communityId } }}
        value={event.guests}
        onChange={(guests) => set({ guests })}
      />
      <Picker
        label={texts.guestGroups}
        several
        offer={{ source: { of: 'groups', id: communityId } }}
        value={event.groups}
        onChange={(groups) => set({ groups })}
      />
    </div>
  );
}
