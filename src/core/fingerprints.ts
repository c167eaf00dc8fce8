/** The fingerprint of the record of protected files, which reveals changes of the record itself. */
export const RECORD = "the loop's record of what is protected";

/** Whether a fingerprint is of this machine or this repository's own files, and is not valid in another checkout. */
export const isOfThisMachine = (key: string): boolean =>
  key === RECORD || /^(?:program|git) |^\.git(?:$|\/|attributes$)/.test(key);
