import { Button, Checkbox, TextInput } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useRef, useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { useSend } from '../use-send.ts';
import { Plan } from './plan.tsx';
import { useCommunitiesTexts } from './texts.ts';

type ArchivePlan = Output<'planCommunityArchive'>;

/** Imports the archive of a community as a new one, after its content and its people were shown. */
export function ImportArchive({ onClose, onDone }: { onClose: () => void; onDone: (communityId: number) => void }) {
  const words = useCommunitiesTexts();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [contentRef, setContentRef] = useState<string>();
  const [place, setPlace] = useState({ name: '', key: '' });
  const [plan, setPlan] = useState<ArchivePlan>();
  const [strangers, setStrangers] = useState<ReadonlySet<string>>(new Set());
  const { busy, faults, setFaults, send } = useSend();
  const given = { ...(place.name && { name: place.name }), ...(place.key && { key: place.key }) };
  const show = () =>
    send(async () => {
      const ref = contentRef ?? (await portal.files.upload(file!)).contentRef;
      setContentRef(ref);
      const found = await portal.imports.planArchive({ contentRef: ref, ...given });
      setPlan(found);
      setPlace({ name: found.name ?? '', key: found.key ?? '' });
    });
  const start = async () => {
    let communityId: number | undefined;
    const sent = await send(async () => {
      const started = await portal.imports.startArchive({
        contentRef: contentRef!,
        fileName: file!.name,
        ...given,
        people: [...strangers].map((key) => ({ key })),
        ...(plan?.planToken !== undefined && { planToken: plan.planToken }),
      });
      communityId = started.communityId;
    }, words.importBegan);
    if (!sent) return;
    onClose();
    onDone(communityId!);
  };
  const change = (part: Partial<typeof place>) => {
    setPlace({ ...place, ...part });
    setPlan(undefined);
  };
  return (
    <FormDialog
      label={words.importArchive}
      className="admin-dialog"
      send={{ label: plan ? words.startImport : words.showArchive, busy, disabled: !file }}
      onSend={() => void (plan ? start() : show())}
      onClose={onClose}
    >
      <p className="muted">{words.wholeHint}</p>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={words.chooseArchive}
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0]);
          setContentRef(undefined);
          setPlan(undefined);
          setPlace({ name: '', key: '' });
          setFaults({});
        }}
      />
      <div className="buttons">
        <Button variant="default" onClick={() => input.current?.click()}>
          {words.chooseArchive}
        </Button>
        <bdi>{file?.name}</bdi>
      </div>
      {contentRef !== undefined && (
        <>
          <TextInput
            label={words.communityName}
            value={place.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label={words.key}
            value={place.key}
            error={faults['key']}
            onChange={({ currentTarget }) => change({ key: currentTarget.value })}
          />
        </>
      )}
      {plan && <Content plan={plan} strangers={strangers} setStrangers={setStrangers} />}
      <Fault text={Object.entries(faults).find(([name]) => name !== 'key')?.[1]} />
    </FormDialog>
  );
}

function Content({
  plan,
  strangers,
  setStrangers,
}: {
  plan: ArchivePlan;
  strangers: ReadonlySet<string>;
  setStrangers: (keys: ReadonlySet<string>) => void;
}) {
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const { portal: from = '', exportTimestamp = 0, postsCount = 0, commentsCount = 0, filesCount = 0 } = plan;
  const { people = [], peopleCount = 0, changes } = plan;
  return (
    <>
      <p>{words.archiveFrom(from, formats.moment(exportTimestamp))}</p>
      <p>{words.archiveHolds(formats.number(postsCount), formats.number(commentsCount), formats.number(filesCount))}</p>
      <fieldset className="plain-group">
        <legend>{words.peopleOfArchive}</legend>
        <p className="muted">{words.peopleOfArchiveHint}</p>
        <ul className="plain-list">
          {people.map(({ key = '', firstName = '', lastName = '', email, user }) => {
            const name = `${firstName} ${lastName}`.trim();
            const next = new Set(strangers);
            if (!next.delete(key)) next.add(key);
            return (
              <li key={key}>
                {user ? (
                  <Checkbox
                    checked={!strangers.has(key)}
                    label={`${name}${email ? ` <${email}>` : ''} → ${user.firstName ?? ''} ${user.lastName ?? ''}`}
                    onChange={() => setStrangers(next)}
                  />
                ) : (
                  <>
                    <bdi>{name}</bdi> ({words.noMatch})
                  </>
                )}
              </li>
            );
          })}
        </ul>
        {peopleCount > people.length && <p>{words.morePeople(formats.number(peopleCount - people.length))}</p>}
      </fieldset>
      <Plan plan={{ changes: changes ?? [] } as Parameters<typeof Plan>[0]['plan']} />
    </>
  );
}
