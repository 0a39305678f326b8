import { Button } from '#ui/button.tsx';
import { Centred } from '#ui/waiting.tsx';

/** Shown in place of a screen that failed. */
export const ScreenFault = () => (
  <Centred>
    <div role="alert">
      <h1>This page could not be shown</h1>
      <p>Nothing has been changed or charged.</p>
      {!navigator.onLine && <p>It will load as soon as you are back online.</p>}
    </div>
    <Button onClick={() => location.reload()}>Reload</Button>
    <a href="/">Go home</a>
  </Centred>
);
