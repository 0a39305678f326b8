import { downloadPoster, retrieveClubLink } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { FormNote, Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Note, Section } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { saveFile } from '../ui/save-file.ts';
import { shownAddress } from '../words.ts';
import { Drawn } from './drawn.tsx';
import styles from './link.module.css';
import { Retirement } from './retirement.tsx';
import { ShareSheet } from './share-sheet.tsx';
import { widgetFrame } from './widget-frame.ts';

type Format = 'poster' | 'svg' | 'png';

interface CopyProps {
  what: 'link' | 'line';
  text: string;
  /** Stand before and after the button. */
  before?: ReactNode;
  children?: ReactNode;
}

/** Copies a text that stands above, or says that it has to be selected. */
function Copy({ what, text, before, children }: CopyProps) {
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(text) });
  return (
    <>
      <div className={styles.acts}>
        {before}
        <Button look="secondary" onClick={() => copy.mutate()}>
          Copy the {what}
        </Button>
        {children}
        {copy.isSuccess && <FormNote>Copied</FormNote>}
      </div>
      {copy.isError && <Notice>The browser did not let it be copied. Please select the {what} and copy it.</Notice>}
    </>
  );
}

/** The address of a club's page to share, its widget, and its QR code and poster to print. */
export function ClubLink({ clubId }: { clubId: string }) {
  const link = useAnswer(retrieveClubLink, { clubId });
  const [isSharing, setSharing] = useState(false);
  const save = useMutation({
    mutationFn: async (format: Format) => saveFile(await call(downloadPoster, { clubId, format })),
  });
  const button = (format: Format, label: string, look: 'primary' | 'secondary' = 'secondary') => (
    <Button
      look={look}
      isBusy={save.isPending && save.variables === format}
      disabled={save.isPending}
      onClick={() => save.mutate(format)}
    >
      {label}
    </Button>
  );
  return (
    <Loaded query={link}>
      {({ address, widget, brand, title, description, qr, endsOn, hasEnded }) => (
        <>
          <Retirement endsOn={endsOn} hasEnded={hasEnded}>
            {hasEnded ? 'Its page says so to anyone who follows the link or a poster: please take posters down.' : ''}
          </Retirement>
          <Section title="The club’s page">
            <Note>
              People read about the club there and start rounding up, with {brand}. Put the link into mails, on the
              club’s website and in its profiles.
            </Note>
            <p className={styles.address}>
              <a href={address} target="_blank" rel="noreferrer">
                {shownAddress(address)}
              </a>
            </p>
            <Copy what="link" text={address} before={<Button onClick={() => setSharing(true)}>Share</Button>} />
            {isSharing && (
              <ShareSheet
                clubId={clubId}
                address={address}
                title={title}
                description={description}
                onClose={() => setSharing(false)}
              />
            )}
          </Section>
          <Section title="On the club’s website">
            <Note>
              This line shows what the club has raised, its goal, and a button to start. Paste it into a page of the
              website.
            </Note>
            <p className={styles.line}>
              <code>{widgetFrame(widget)}</code>
            </p>
            <Copy what="line" text={widgetFrame(widget)}>
              <a href={widget} target="_blank" rel="noreferrer">
                See it
              </a>
            </Copy>
          </Section>
          <Section title="Poster and QR code">
            <div className={styles.poster}>
              <button
                type="button"
                className={styles.sheet}
                disabled={save.isPending}
                onClick={() => save.mutate('poster')}
              >
                <span className="visually-hidden">Save the poster as PDF</span>
                <Drawn clubId={clubId} format="preview" shape={styles.a4} name="" />
              </button>
              <div className={styles.files}>
                <Note>
                  An A4 page in the colours of {brand}, for the clubroom and the canteen. The code alone is for flyers
                  and shirts: SVG for a printer, PNG for everything else.
                </Note>
                <div className={styles.acts}>
                  {button('poster', 'Poster, PDF', 'primary')}
                  {button('svg', 'QR code, SVG')}
                  {button('png', 'QR code, PNG')}
                </div>
                <Failure of={save.error} />
                <QrCode code={qr} name="QR code of the club’s page" side={200} />
              </div>
            </div>
          </Section>
        </>
      )}
    </Loaded>
  );
}
