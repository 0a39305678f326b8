/** An email's content as plain text; the renderer escapes it. */
export interface EmailContent {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preview: string;
  paragraphs: string[];
  /** The one thing to do, if there is one. */
  action?: { label: string; url: URL };
  /** Small print under it. */
  note?: string;
  /** The way to get no more of its kind: a page for people, which mail programs may also post to (RFC 8058). */
  stop?: { label: string; url: URL };
}

/** The brand of an email. */
export interface Brand {
  name: string;
  tagline: string;
  logo: URL;
  /** Under the button, and the line at the top. */
  primary: string;
  accent: string;
  site: URL;
}
