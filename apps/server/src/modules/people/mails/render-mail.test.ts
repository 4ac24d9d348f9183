import { describe, expect, it } from 'vitest';
import { mailLanguages } from './mail-types.ts';
import { type RenderInput, renderMail } from './templates/render-mail.ts';
import { wordings } from './templates/wording.ts';

const values = {
  name: 'Ada',
  link: 'https://acme.example/i?a=1&b=2',
  expiry: Date.UTC(2026, 11, 31, 17, 5),
  about: 'Orders',
};
const MOMENT = ['2026', '18:05'];
/** Values beside the name and the portal that the bodies of a template show. */
const shown: Record<RenderInput['template'], readonly string[]> = {
  invitation: MOMENT,
  'password-reset': MOMENT,
  'webhook-failing': ['Orders'],
  'webhook-stopped': ['Orders'],
  test: [],
};
const input: RenderInput = {
  template: 'invitation',
  language: 'en',
  values,
  portal: 'Acme',
  timezone: 'Europe/Rome',
};

describe('mail templates', () => {
  it.each(Object.keys(wordings).flatMap((template) => mailLanguages.map((language) => [template, language] as const)))(
    '%s in %s has subject, text and HTML with all values',
    (name, language) => {
      const template = name as RenderInput['template'];
      const mail = renderMail({ ...input, template, language });
      expect(mail.subject).toContain('Acme');
      for (const body of [mail.text, mail.html]) {
        for (const value of ['Ada', 'Acme', ...shown[template]]) expect(body).toContain(value);
        expect(body).not.toMatch(/undefined|\[object|\$\{/);
      }
      expect(mail.text).toContain(`\n${values.link}\n`);
      expect(mail.html).toContain('href="https://acme.example/i?a=1&amp;b=2"');
      expect(mail.html).toContain(`<html lang="${language}">`);
    },
  );

  it('differs by language', () => {
    expect(renderMail(input).subject).toBe('Your invitation to Acme');
    expect(renderMail({ ...input, language: 'it' }).text).toContain('31 dicembre 2026');
    expect(renderMail({ ...input, language: 'de' }).text).toContain('31. Dezember 2026');
  });

  it('escapes what people wrote, and keeps names to one line', () => {
    const mail = renderMail({
      ...input,
      values: {
        ...values,
        name: `<script>alert("1")</script>\r\nBcc: eve ${'x'.repeat(500)}`,
        link: `https://a/"'<b>`,
      },
      portal: '<b>Acme</b>\r\nX-Evil: 1',
    });
    expect(mail.html).not.toMatch(/<script|<b>|"'</);
    expect(mail.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; Bcc: eve');
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.text.split('\n')[0]!.length).toBeLessThan(120);
    expect(mail.text).toContain('\n\n<b>Acme</b> X-Evil: 1\n');
    const turned = renderMail({ ...input, values: { ...values, name: '\u202eAda\u202c' }, portal: '\u202eAcme' });
    expect(`${turned.subject}${turned.text}${turned.html}`).not.toMatch(/[\u202a-\u202e]/);
  });
});
