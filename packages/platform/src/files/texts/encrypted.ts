/** The reason why an encrypted document has no text (file_contents.text_error). */
export const ENCRYPTED = 'the document is encrypted';
