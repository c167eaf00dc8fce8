/// <reference path="./picomatch.d.ts" />
import picomatch from "picomatch";

/** Whether a path, with `/` between its folders, is one that a glob stands for. Names that begin with a dot are. */
export const matcherOf = (glob: string, { anyFolder = false } = {}): ((path: string) => boolean) =>
  picomatch(glob, { dot: true, basename: anyFolder });

export const isGlob = (text: string): boolean => picomatch.scan(text).isGlob;
