import { TextInput } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useRef, useState } from 'react';
import { portal } from '../../portal.ts';
import { SegmentedControl } from '../../shell/segmented-control.tsx';
import { Fault } from '../../write/fault.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { FilterSelect } from '../fields.tsx';
import { useAdminTexts } from '../texts.ts';
import { useSend } from '../use-send.ts';
import { type CommunityFile, galleryNames, readCommunityFile, readGallery } from './gallery.ts';
import { Plan } from './plan.tsx';
import { useCommunitiesTexts } from './texts.ts';

type PlanOf = Output<'planCommunity'>;

/** `Service desk` of `service-desk`. */
const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/** Writes a community from the gallery or from a file, after its plan was shown. */
export function NewCommunity({ onClose, onDone }: { onClose: () => void; onDone: (id: number) => void }) {
  const words = useCommunitiesTexts();
  const [from, setFrom] = useState<'gallery' | 'file'>('gallery');
  const [file, setFile] = useState<CommunityFile>();
  const [plan, setPlan] = useState<PlanOf>();
  const { busy, faults, setFaults, send } = useSend();
  const choose = async (read: () => CommunityFile | Promise<CommunityFile>) => {
    setPlan(undefined);
    setFaults({});
    try {
      setFile(await read());
    } catch (error) {
      setFile(undefined);
      setFaults({ '': words.notReadable(error instanceof Error ? error.message : String(error)) });
    }
  };
  const submit = async () => {
    if (!file) return;
    if (!plan) {
      await send(async () => setPlan(await portal.communities.planDefinition({ file })));
      return;
    }
    let id: number | undefined;
    const planToken = plan.planToken;
    const sent = await send(async () => {
      id = (await portal.communities.applyDefinition({ file, ...(planToken !== undefined && { planToken }) }))
        .communityId;
    }, words.applied);
    if (!sent) return;
    onClose();
    onDone(id!);
  };
  return (
    <FormDialog
      label={words.newCommunity}
      className="admin-dialog"
      send={{ label: plan ? words.apply : words.showPlan, busy, disabled: !file }}
      onSend={() => void submit()}
      onClose={onClose}
    >
      <SegmentedControl
        label={words.template}
        options={[
          { value: 'gallery', label: words.fromGallery },
          { value: 'file', label: words.fromFile },
        ]}
        value={from}
        onChange={(next) => {
          setFrom(next);
          setFile(undefined);
          setPlan(undefined);
        }}
      />
      {from === 'gallery' ? <GalleryChoice choose={choose} /> : <FileChoice choose={choose} />}
      {file && (
        <Names
          file={file}
          change={(next) => {
            setFile(next);
            setPlan(undefined);
          }}
        />
      )}
      {plan && <Plan plan={plan} />}
      <Fault text={Object.values(faults)[0]} />
    </FormDialog>
  );
}

interface ChoiceProps {
  choose: (read: () => CommunityFile | Promise<CommunityFile>) => Promise<void>;
}

function GalleryChoice({ choose }: ChoiceProps) {
  const words = useCommunitiesTexts();
  const [chosen, setChosen] = useState<string>();
  return (
    <FilterSelect
      label={words.template}
      all={words.template}
      options={galleryNames.map((id) => ({ id, label: titleOf(id) }))}
      value={chosen}
      onChange={(name) => {
        setChosen(name);
        if (name !== undefined) void choose(() => readGallery(name));
      }}
    />
  );
}

function FileChoice({ choose }: ChoiceProps) {
  const words = useCommunitiesTexts();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const read = (file: File | undefined) => {
    if (!file) return;
    setName(file.name);
    void choose(async () => readCommunityFile(await file.text()));
  };
  return (
    <div>
      <p className="muted">{words.fileHint}</p>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        hidden
        aria-label={words.chooseFile}
        onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
      />
      <button type="button" className="small" onClick={() => input.current?.click()}>
        {words.chooseFile}
      </button>{' '}
      <span>{name}</span>
    </div>
  );
}

/** The name and the key of the community in a file. */
function Names({ file, change }: { file: CommunityFile; change: (file: CommunityFile) => void }) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const { community } = file;
  if (typeof community !== 'object' || community === null) return null;
  const set = (part: Partial<CommunityFile['community']>) => change({ ...file, community: { ...community, ...part } });
  return (
    <>
      <TextInput
        label={words.communityName}
        required
        value={community.name ?? ''}
        {...(!community.name && { error: texts.required })}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
      <TextInput
        label={words.key}
        description={words.keyHint}
        required
        value={community.key ?? ''}
        onChange={({ currentTarget: { value } }) => set({ key: value })}
      />
    </>
  );
}
