import { Button } from '@sparechange/web/ui/button.tsx';

/** Prints a page, which browsers also save as PDF; on paper there is nothing to press (console.css). */
export const PrintButton = () => (
  <Button look="secondary" onClick={() => window.print()}>
    Print or save as PDF
  </Button>
);
