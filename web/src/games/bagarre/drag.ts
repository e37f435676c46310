/** Dragging a card with mouse, pen or finger. A short press stays a click, so nothing needs dragging. */

const FAR = 8;

/** `ondrop` gets the name of the spot under the pointer, if there is one. */
export function draggable(ondrop: (spot: string) => void): (element: HTMLElement) => () => void {
  return (element) => {
    let start: { x: number; y: number } | null = null;
    let dragging = false;

    function down(event: PointerEvent): void {
      if (event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY };
      element.setPointerCapture(event.pointerId);
    }

    function move(event: PointerEvent): void {
      if (!start) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (!dragging && Math.hypot(dx, dy) < FAR) return;
      dragging = true;
      element.classList.add("dragged");
      element.style.translate = `${dx}px ${dy}px`;
    }

    function up(event: PointerEvent): void {
      const over = dragging && event.type === "pointerup" ? spotAt(element, event) : null;
      start = null;
      element.classList.remove("dragged");
      element.style.translate = "";
      if (over !== null) ondrop(over);
      setTimeout(() => (dragging = false));
    }

    function click(event: MouseEvent): void {
      if (!dragging) return;
      event.stopPropagation();
      event.preventDefault();
    }

    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("click", click, true);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
      element.removeEventListener("click", click, true);
    };
  };
}

function spotAt(element: HTMLElement, { clientX, clientY }: PointerEvent): string | null {
  const under = document.elementsFromPoint(clientX, clientY).find((one) => !element.contains(one));
  return under?.closest<HTMLElement>("[data-spot]")?.dataset.spot ?? null;
}
