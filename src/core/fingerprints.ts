/** The fingerprint of the whole record of what is protected: it shows changes of the record itself. */
export const RECORD = "the loop's record of what is protected";

/** Whether a fingerprint is of this machine or this repository's own files, and means nothing in another checkout. */
export const isOfThisMachine = (key: string): boolean =>
  key === RECORD || /^(?:program|git) |^\.git(?:$|\/|attributes$)/.test(key);
