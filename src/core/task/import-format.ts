/** The kinds of files that tasks are imported from; `yaml` is the document's own. */
export const IMPORT_FORMATS = ["prd", "markdown", "github", "yaml"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];
