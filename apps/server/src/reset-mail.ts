import type { Mail } from '#ports/mailer.ts';

/** The mail with the link to choose a new password. */
export function resetMail(to: string, link: URL): Mail {
  const address = link.href.replaceAll('&', '&amp;');
  return {
    to,
    subject: 'Reset your password',
    text: [
      'Hello,',
      '',
      'Choose a new password here:',
      link.href,
      '',
      'The link works once, within one hour. If you did not ask for it, nothing has changed and you can ignore this mail.',
    ].join('\n'),
    html: [
      '<p>Hello,</p>',
      `<p><a href="${address}">Choose a new password</a></p>`,
      '<p>The link works once, within one hour. If you did not ask for it, nothing has changed and you can ignore this mail.</p>',
    ].join('\n'),
  };
}
