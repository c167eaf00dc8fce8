/** The fingerprint of the record of protected files, which reveals its changes. A key in journals, never reworded. */
export const RECORD = "the loop's record of what is protected";

/** The prefix of keys for the files of sealed checks. */
export const SEALED = "sealed ";

/** Whether a fingerprint is of this machine or of the repository's own files, and is not valid in another checkout. */
export const isOfThisMachine = (key: string): boolean =>
  key === RECORD || /^\/|^(?:program|git|sealed) |^\.git(?:$|\/|attributes$)/.test(key);
