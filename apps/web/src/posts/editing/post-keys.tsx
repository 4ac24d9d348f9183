import { useKeys } from '../../shell/keys.ts';
import { useKeyTexts } from './key-texts.ts';

/** The element of the open post that a key presses, by the beginning of its selector. */
const press = (selector: string) => () => {
  const element = document.querySelector<HTMLElement>(`.post ${selector}`);
  if (!element) return false;
  element.scrollIntoView({ block: 'nearest' });
  element.focus();
  return element.click();
};

/** Keys for what can be done with the open post: each presses what the pointer would. */
export function PostKeys() {
  const words = useKeyTexts();
  useKeys([
    { key: 'e', label: words.editText, run: press('.in-place-text .in-place-button') },
    { key: 't', label: words.editTitle, run: press('.in-place-title .in-place-button') },
    { key: 'r', label: words.comment, run: press('button.comment-opener') },
    { key: 'f', label: words.follow, run: press('.post-follow') },
    { key: 'l', label: words.like, run: press('.post-head [aria-pressed]') },
    { key: 'a', label: words.actions, run: press('.post-actions') },
    {
      key: 's',
      label: words.step,
      // A step is pressed by a second key: it may tell others.
      run: () => {
        const step = document.querySelector<HTMLElement>('.post .steps button');
        step?.focus();
        return step !== null;
      },
    },
  ]);
  return null;
}
