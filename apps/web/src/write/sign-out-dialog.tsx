import { Button } from '@mantine/core';
import { useMe } from '../shared-queries.ts';
import { Dialog } from '../shell/dialog.tsx';
import { deleteBrowserDrafts } from './browser-drafts.ts';
import { useAllTexts } from './texts.ts';

/** Asks at the sign-out whether to keep or delete the unsaved input in this browser. */
export function SignOutDialog({ onClose, signOut }: { onClose: () => void; signOut: () => void }) {
  const texts = useAllTexts();
  const userId = useMe().data?.userData?.id ?? 0;
  return (
    <Dialog label={texts.signOut} onClose={onClose}>
      <h2>{texts.signOut}</h2>
      <p>{texts.unsaved}</p>
      <div className="buttons">
        <Button onClick={signOut}>{texts.signOutAndKeep}</Button>
        <Button variant="default" onClick={() => void deleteBrowserDrafts(userId).then(signOut)}>
          {texts.signOutAndRemove}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
