import { Button } from '@sparechange/web/ui/button.tsx';
import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { FormNote, Notice } from '@sparechange/web/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { shownAddress } from '../words.ts';
import { Drawn } from './drawn.tsx';
import styles from './link.module.css';

interface ShareSheetProps {
  clubId: string;
  /** The address of the club's page. */
  address: string;
  /** The words that a shared link shows. */
  title: string;
  description: string;
  onClose: () => void;
}

/** Shows a club's link as its receivers see it, and shares it: by the device's own sheet, else by mail, messages or a copy. */
export function ShareSheet({ clubId, address, title, description, onClose }: ShareSheetProps) {
  return (
    <Modal title="Share the club’s page" onClose={onClose}>
      <p>This is how the link looks in messages and posts.</p>
      <figure className={styles.shared}>
        <Drawn clubId={clubId} format="shared" shape={styles.wide} name="The picture of the club’s link" />
        <figcaption>
          <strong>{title}</strong>
          <span>{description}</span>
          <small>{shownAddress(address)}</small>
        </figcaption>
      </figure>
      {'share' in navigator ? (
        <ShareByDevice title={title} text={description} url={address} />
      ) : (
        <ShareByLinks title={title} text={description} url={address} />
      )}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

type Shared = Required<Pick<ShareData, 'title' | 'text' | 'url'>>;

/** Opens the device's own sheet; closing that again is no failure. */
function ShareByDevice(shared: Shared) {
  const share = useMutation({
    mutationFn: () =>
      navigator.share(shared).catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error;
      }),
  });
  return (
    <>
      <Button isBusy={share.isPending} onClick={() => share.mutate()}>
        Share
      </Button>
      {share.isError && (
        <>
          <Notice>Your device did not share it. Here are other ways.</Notice>
          <ShareByLinks {...shared} />
        </>
      )}
    </>
  );
}

/** Writes the addresses that start a message with the link in it. */
function addressesFor({ title, text, url }: Shared): [name: string, address: string][] {
  const encoded = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  return [
    ['Email', `mailto:?${encoded({ subject: title, body: `${text}\n\n${url}` })}`],
    ['WhatsApp', `https://wa.me/?${encoded({ text: `${text} ${url}` })}`],
    ['Facebook', `https://www.facebook.com/sharer/sharer.php?${encoded({ u: url })}`],
  ];
}

function ShareByLinks(shared: Shared) {
  const copy = useMutation({ mutationFn: () => navigator.clipboard.writeText(shared.url) });
  return (
    <>
      <div className={styles.ways}>
        <Button onClick={() => copy.mutate()}>Copy the link</Button>
        {addressesFor(shared).map(([name, address]) => (
          <a key={name} className={styles.way} href={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        ))}
      </div>
      {copy.isSuccess && <FormNote>Copied</FormNote>}
      {copy.isError && <Notice>The browser did not let it be copied. Please copy it from the page.</Notice>}
    </>
  );
}
