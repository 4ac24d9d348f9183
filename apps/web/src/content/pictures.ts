/** Pictures in texts: files that are attached beside the text, by their names, as `attachments/lift.png`. */
import { createContext } from 'react';

const FOLDER = 'attachments/';

/** @returns the relative address by which a text shows an attached file */
export const pictureAddress = (name: string): string => FOLDER + encodeURIComponent(name);

/** @returns the name of the attached file; undefined for any other address */
export function pictureName(address: unknown): string | undefined {
  if (typeof address !== 'string' || !address.startsWith(FOLDER)) return undefined;
  try {
    return decodeURIComponent(address.slice(FOLDER.length));
  } catch {
    return undefined; // not encoded as an address is
  }
}

/** Finds where the picture of a name is loaded from; undefined where there is none. */
export const PicturesContext = createContext<(name: string) => string | undefined>(() => undefined);
