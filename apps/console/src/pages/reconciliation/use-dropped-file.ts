import { useEffect, useState } from 'react';

const holdsFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes a file dropped anywhere on the page; returns whether one is held over it. */
export function useDroppedFile(isTaken: boolean, take: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isTaken) return undefined;
    const over = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      event.preventDefault(); // the browser would open the file
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) take(file);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [isTaken, take]);
  return isOver;
}
