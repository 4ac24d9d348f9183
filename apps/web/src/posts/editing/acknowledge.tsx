import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { timeZone } from '../../texts/time-zone.ts';
import { MomentInput } from '../../write/day-input.tsx';
import { faultOf, useShowError } from '../../write/faults.ts';
import { FormDialog } from '../../write/form-dialog.tsx';
import type { Choice } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { nameOf } from '../user-name.ts';
import { type Post, refetchPost } from './save-part.ts';

/** Asks the caller to confirm that they have read the post. */
export function Acknowledge({ post }: { post: Post }) {
  const texts = useAllTexts();
  const showError = useShowError();
  const confirm = async () => {
    try {
      await portal.posts.acknowledge({ postId: post.id! });
      showNotice(texts.acknowledged);
    } catch (error) {
      showError(error, confirm);
    }
    await refetchPost(post.id!);
  };
  return (
    <section className="draft-line" aria-label={texts.acknowledge}>
      <p>{texts.mustAcknowledge}</p>
      <div className="buttons">
        <Button size="xs" onClick={() => void confirm()}>
          {texts.acknowledge}
        </Button>
      </div>
    </section>
  );
}

/** Asks people to confirm that they have read the post, and shows the confirmations. */
export function AskToAcknowledge({ post, onClose }: { post: Post; onClose: () => void }) {
  const texts = useAllTexts();
  const [people, setPeople] = useState<readonly Choice[]>([]);
  const [groups, setGroups] = useState<readonly Choice[]>([]);
  const [due, setDue] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ids = (chosen: readonly Choice[]) => chosen.map(({ id }) => id);
  const send = async () => {
    if (busy || people.length + groups.length === 0) return setFault(texts.required);
    setBusy(true);
    try {
      await portal.posts.requestAcknowledgements({
        postId: post.id!,
        userIds: ids(people),
        groupIds: ids(groups),
        ...(due !== '' && { expiration: { datetime: `${due}:00`, timezone: timeZone() } }),
      });
      showNotice(texts.acknowledgeAsked);
      await queryClient.invalidateQueries({ queryKey: ['post', post.id] });
      onClose();
    } catch (error) {
      setFault(faultOf(error, texts));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      label={texts.askToAcknowledge}
      className="post-dialog"
      send={{ label: texts.ask, busy }}
      onSend={() => void send()}
      onClose={onClose}
      below={<AcknowledgementList postId={post.id!} />}
    >
      <Picker
        label={texts.assigneePerson}
        several
        offer={{ source: { of: 'people', postId: post.id } }}
        value={people}
        onChange={setPeople}
        error={fault}
      />
      <Picker
        label={texts.assigneeGroup}
        several
        offer={{ source: { of: 'groups', id: post.communityId } }}
        value={groups}
        onChange={setGroups}
      />
      <MomentInput label={texts.due} value={due} onChange={setDue} time="23:59" />
    </FormDialog>
  );
}

function AcknowledgementList({ postId }: { postId: number }) {
  const texts = useWriteTexts();
  const formats = useFormats();
  const acknowledgements = useQuery({
    queryKey: ['post', postId, 'acknowledgements'],
    queryFn: () => portal.posts.acknowledgements({ postId, pageSize: 200 }),
  });
  if (acknowledgements.isPending) return <Loading />;
  if (acknowledgements.isError) return <Failed query={acknowledgements} />;
  const { items = [] } = acknowledgements.data;
  if (items.length === 0) return null;
  const moment = (timestamp: number | undefined) => (timestamp === undefined ? '' : formats.moment(timestamp));
  const missing = (overdue: boolean | undefined) => (overdue ? texts.overdue : texts.notAcknowledged);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ul tabIndex={0} aria-label={texts.acknowledgements}>
      {items.map(({ taskId, user, acknowledged, acknowledgementTimestamp, overdue }) => (
        <li key={taskId}>
          {nameOf(user)}{' '}
          <span className={overdue ? 'late' : 'muted'}>
            {acknowledged ? `✓ ${moment(acknowledgementTimestamp)}` : missing(overdue)}
          </span>
        </li>
      ))}
    </ul>
  );
}
