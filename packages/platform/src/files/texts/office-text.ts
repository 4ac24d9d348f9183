/** The text of written documents: DOCX, ODT. */
import { type Markup, markupText } from './markup.ts';
import { openDocumentParts, partsOf } from './zip-parts.ts';

const WORD: Markup = {
  lines: new Set(['w:p', 'w:br', 'w:cr', 'w:tr']),
  spaces: new Set(['w:tab', 'w:tc', 'w:noBreakHyphen']),
  skipped: new Set(['w:delText', 'w:instrText', 'w:delInstrText', 'mc:Fallback']),
  only: new Set(['w:t']),
};
const ODF: Markup = {
  lines: new Set(['text:p', 'text:h', 'text:line-break', 'table:table-row']),
  spaces: new Set(['text:tab', 'text:s', 'table:table-cell']),
  skipped: new Set(['office:annotation', 'text:tracked-changes']),
};
/** Comments stand within words, which they would part: they are read apart, without author and date. */
const ODF_COMMENTS: Markup = {
  ...ODF,
  skipped: new Set(['text:tracked-changes', 'dc:creator', 'dc:date', 'meta:creator-initials']),
  only: new Set(['office:annotation']),
};

/** The text of a document with its notes, headers, footers and comments. @throws Error for a document that cannot be read */
export async function docxText(data: Buffer): Promise<string> {
  const parts = await partsOf(data, /^word\/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/);
  return [...parts.values()].map((xml) => markupText(xml, WORD)).join('\n');
}

/** The text of a document with its comments. @throws Error for a document that is encrypted or cannot be read */
export async function odtText(data: Buffer): Promise<string> {
  const parts = await openDocumentParts(data, /^content\.xml$/);
  const content = parts.get('content.xml') ?? '';
  return `${markupText(content, ODF)}\n${markupText(content, ODF_COMMENTS)}`;
}

/**
 * Checks that an OpenDocument file is not encrypted; its text is not read. @throws Error for an
 * encrypted or broken file
 */
export async function refuseEncryptedOpenDocument(data: Buffer): Promise<void> {
  await openDocumentParts(data, /^$/);
}
