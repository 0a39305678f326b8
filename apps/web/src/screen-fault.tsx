import { Button } from '#ui/button.tsx';
import { Centred } from '#ui/waiting.tsx';

/** Shown in place of a screen that failed. */
export const ScreenFault = () => (
  <Centred>
    <div role="alert">
      <h1>This page could not be shown</h1>
      <p>Nothing has been changed or charged by it.</p>
      {!navigator.onLine && <p>It is loaded as soon as you are online again.</p>}
    </div>
    <Button onClick={() => location.reload()}>Reload</Button>
    <a href="/">Go to the start</a>
  </Centred>
);
