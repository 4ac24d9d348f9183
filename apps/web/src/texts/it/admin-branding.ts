/** Texts of the page `adminBranding` in Italian. */
import type { en as english } from '../../admin/branding/texts.ts';

export const adminBranding: typeof english = {
  name: 'Nome del portale',
  logo: 'Logo',
  logoHint: 'PNG, JPEG o WebP, al massimo 1 MiB. È mostrato sopra il menu, all’accesso e come icona della pagina.',
  chooseLogo: 'Scegli un’immagine',
  removeLogo: 'Rimuovi il logo',
  keepLogo: 'Mantieni il logo attuale',
  logoRemoved: 'Il logo è rimosso al salvataggio.',
  sending: 'Caricamento…',
  uploadFailed: 'Impossibile caricare l’immagine.',
  tooLarge: 'L’immagine supera 1 MiB.',
  notPicture: 'Scegli un’immagine PNG, JPEG o WebP.',
  accent: 'Colore principale',
  accentHint: 'Di link e pulsanti. Vuoto: il colore di Portico.',
  pickAccent: 'Scegli il colore principale',
  noColour: 'Scrivi un colore come #0b6e4f.',
  tooLight: (colour) =>
    `Questo colore è troppo chiaro per essere letto sul bianco. Il più vicino leggibile è ${colour}.`,
  pickColour: (colour) => `Usa ${colour}`,
  notice: 'Avviso all’accesso',
  noticeHint: (count, most) => `Testo semplice: ${count} di ${most} caratteri.`,
  imprint: 'Indirizzo delle note legali',
  privacy: 'Indirizzo dell’informativa sulla privacy',
  addressHint: 'Comincia con https://. Un link è mostrato all’accesso e sotto il menu.',
  preview: 'Anteprima',
  previewHint: 'Nulla cambia prima del salvataggio.',
  light: 'Chiaro',
  dark: 'Scuro',
  link: 'Un link',
  reload: 'Le pagine aperte mostrano il nuovo aspetto quando vengono ricaricate.',
};
