export {}; // a module, which may wait for another

// Tests of screens name jsdom themselves; all others have no document.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 60_000 }); // no measure of speed: this ends hung tests, also on a busy machine

  // jsdom has no modal dialogs; the browser's own are tested in the journeys.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
}
