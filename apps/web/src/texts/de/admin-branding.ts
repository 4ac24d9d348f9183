/** Texts of the page `adminBranding` in German. */
import type { en as english } from '../../admin/branding/texts.ts';

export const adminBranding: typeof english = {
  name: 'Name des Portals',
  logo: 'Logo',
  logoHint:
    'PNG, JPEG oder WebP, höchstens 1 MiB. Erscheint über dem Menü, bei der Anmeldung und als Symbol der Seite.',
  chooseLogo: 'Bild wählen',
  removeLogo: 'Logo entfernen',
  keepLogo: 'Bisheriges Logo behalten',
  logoRemoved: 'Das Logo wird beim Speichern entfernt.',
  sending: 'Wird hochgeladen…',
  uploadFailed: 'Das Bild konnte nicht hochgeladen werden.',
  tooLarge: 'Das Bild ist größer als 1 MiB.',
  notPicture: 'Ein Bild als PNG, JPEG oder WebP wählen.',
  accent: 'Akzentfarbe',
  accentHint: 'Von Links und Schaltflächen. Leer: die Farbe von Portico.',
  pickAccent: 'Akzentfarbe aussuchen',
  noColour: 'Eine Farbe wie #0b6e4f eingeben.',
  tooLight: (colour) => `Diese Farbe ist zu hell, um auf Weiß lesbar zu sein. Die nächste lesbare ist ${colour}.`,
  pickColour: (colour) => `${colour} verwenden`,
  notice: 'Hinweis bei der Anmeldung',
  noticeHint: (count, most) => `Reiner Text: ${count} von ${most} Zeichen.`,
  imprint: 'Adresse des Impressums',
  privacy: 'Adresse der Datenschutzerklärung',
  addressHint: 'Beginnt mit https://. Ein Link erscheint bei der Anmeldung und unter dem Menü.',
  preview: 'Vorschau',
  previewHint: 'Vor dem Speichern ändert sich nichts.',
  light: 'Hell',
  dark: 'Dunkel',
  link: 'Ein Link',
  reload: 'Offene Seiten zeigen das neue Aussehen, sobald sie neu geladen werden.',
};
