/** How many objects and bytes a run may still read. Work that begins while some is left may exceed it. */

export interface Budget {
  readonly isLeft: boolean;
  take(bytes: number): void;
}

export function createBudget(objects: number, bytes: number): Budget {
  let [objectsLeft, bytesLeft] = [objects, bytes];
  return {
    get isLeft() {
      return objectsLeft > 0 && bytesLeft > 0;
    },
    take(size) {
      objectsLeft -= 1;
      bytesLeft -= size;
    },
  };
}
