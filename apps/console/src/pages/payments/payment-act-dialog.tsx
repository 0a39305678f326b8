import { listPayments, retrievePayment } from '@sparechange/contract/console';
import { type IsoDate, shortDay } from '@sparechange/domain';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import type { ReactNode } from 'react';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { secondPersonTitle } from '../parts/second-person.tsx';

interface PaymentActDialogProps {
  title: string;
  action: string;
  isDangerous?: boolean;
  /** Carries out the act; returns until when it waits for a second person. */
  onAct: (form: FormData) => Promise<{ waitsUntil?: IsoDate | null }>;
  asksWhy?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Explains an act on a payment, asks for a reason where needed, and says whether it waits for a second person. */
export const PaymentActDialog = ({ onAct, asksWhy = true, children, ...dialog }: PaymentActDialogProps) => (
  <ActDialog
    {...dialog}
    act={onAct}
    changes={[listPayments, retrievePayment]}
    afterTitle={secondPersonTitle}
    after={({ waitsUntil }) =>
      waitsUntil && (
        <p>
          Nothing has been done yet. Another owner, or somebody else of finance, agrees until {shortDay(waitsUntil)}.
          The request is on the page Today.
        </p>
      )
    }
  >
    {(problem) => (
      <>
        {children}
        {asksWhy && <TextField label="Reason" name="because" required maxLength={200} error={problem('because')} />}
      </>
    )}
  </ActDialog>
);

/** Returns the reason typed into a form. */
export const whyIn = (form: FormData): string => String(form.get('because'));
