/** Texts about the looks of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  name: 'Name of the portal',
  logo: 'Logo',
  logoHint: 'PNG, JPEG or WebP, at most 1 MiB. Shown above the menu, at the sign-in, and as the icon of the page.',
  chooseLogo: 'Choose a picture',
  removeLogo: 'Remove the logo',
  keepLogo: 'Keep the present logo',
  logoRemoved: 'The logo is removed when you save.',
  sending: 'Uploading…',
  uploadFailed: 'The picture could not be uploaded.',
  tooLarge: 'The picture is larger than 1 MiB.',
  notPicture: 'Choose a PNG, JPEG or WebP picture.',
  accent: 'Accent colour',
  accentHint: 'Of links and buttons. Empty: the colour of Portico.',
  pickAccent: 'Pick the accent colour',
  noColour: 'Type a colour such as #0b6e4f.',
  tooLight: (colour: string) => `This colour is too light to be read on white. The nearest readable one is ${colour}.`,
  pickColour: (colour: string) => `Use ${colour}`,
  notice: 'Notice at the sign-in',
  noticeHint: (count: string, most: string) => `Plain text: ${count} of ${most} characters.`,
  imprint: 'Address of the imprint',
  privacy: 'Address of the privacy notice',
  addressHint: 'Begins with https://. A link is shown at the sign-in and below the menu.',
  preview: 'Preview',
  previewHint: 'Nothing is changed before you save.',
  light: 'Light',
  dark: 'Dark',
  link: 'A link',
  reload: 'Pages that are open show the new looks once they are loaded again.',
};

export const useBrandingTexts = () => usePageTexts('adminBranding', en);
