/** The draft as a file for people, loaded when it is downloaded or uploaded. */
import type { CommunityFile } from '@portico/sdk';
import { stringify } from 'yaml';
import { readCommunityFile } from '../../admin/communities/gallery.ts';
import { inFileOrder } from './edit-file.ts';

/** Returns a file as YAML. */
export const writeFileText = (file: CommunityFile): string => stringify(inFileOrder(file), { lineWidth: 110 });

/** @throws Error that names the line, for a text that is no file */
export const readFileText = (text: string): CommunityFile => readCommunityFile(text) as CommunityFile;
