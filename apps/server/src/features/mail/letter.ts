/** What a mail says, before it has a look. Text is plain: whoever draws it escapes it. */
export interface Letter {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preview: string;
  paragraphs: string[];
  /** The one thing to do, if there is one. */
  action?: { label: string; url: URL };
  /** Small print under it. */
  note?: string;
}

/** Whose mail it is. */
export interface Brand {
  name: string;
  tagline: string;
  logo: URL;
  /** Under the button, and the line at the top. */
  primary: string;
  accent: string;
  site: URL;
}
