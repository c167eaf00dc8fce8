// The package has no types of its own.
declare module "picomatch" {
  interface Picomatch {
    (glob: string, options?: { dot?: boolean; basename?: boolean; flags?: string }): (path: string) => boolean;
    scan(glob: string): { isGlob: boolean };
  }
  const picomatch: Picomatch;
  export = picomatch;
}
