const SHELLS = /\b(?:(?:sh|bash|dash|zsh|ksh)(?:\s+-\w+)*\s+-\w*c|eval|concurrently(?:\s+-\S+)*)\s+$/;
const READS_SCRIPT = /^\s*(?:\w+=\S*\s+)*(?:sh|bash|dash|zsh|ksh|node|python3?|ruby|perl|php)\b/;
const HEREDOC = /^(.*)<<-?[ \t]*(["']?)(\w+)\2(.*)\n([\s\S]*?)^[ \t]*\3[ \t]*$/gm;
const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"/g;

/** A command line without the texts that it only writes: what `echo` prints and `cat > file` is given is not run by it. */
export function runText(command: string): string {
  const text = command.replace(HEREDOC, (all, head: string, _quote, _word, tail: string) =>
    READS_SCRIPT.test(head) ? all : `${head}${tail}`,
  );
  return text.replace(QUOTED, (quoted, place: number) => {
    const isRun = SHELLS.test(text.slice(0, place));
    return isRun || !/[\s;&|()`]/.test(quoted) ? quoted : "_";
  });
}
