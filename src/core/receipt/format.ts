export const RECEIPT_TYPE = "ralph.receipt";
export const RECEIPT_VERSION = 1;
