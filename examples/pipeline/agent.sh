#!/bin/sh
# Replaces a coding agent, so that the example is free. It reads its role and its task from the prompt.
prompt=$(cat)
field() { printf '%s\n' "$prompt" | sed -n "s/.*\*\*$1\*\*: *\([A-Za-z]*\).*/\1/p" | head -n 1; }
role=$(field Agent)
task=$(field "Task ID")
review='<review>{"approved": true, "findings": []}</review>'

case "$role $task" in
  "coder GREET")
    grep -q greet index.mjs || echo 'export { greet } from "./greet.mjs";' >> index.mjs
    case $prompt in
      *"an empty name"*) guard='if (!name) throw new TypeError("greet() wants a name");' ;; # the reviewer's finding
      *) guard='' ;;
    esac
    printf 'export function greet(name) {\n  %s\n  return `Hello, ${name}!`;\n}\n' "$guard" > greet.mjs ;;
  "coder PART")
    echo 'export { part } from "./part.mjs";' >> index.mjs
    echo 'export const part = (name) => `Goodbye, ${name}!`;' > part.mjs ;;
  "coder DOCS") printf '# Usage\n\n`greet(name)`, `part(name)`\n' > USAGE.md ;;
  "reviewer GREET")
    grep -q throw greet.mjs ||
      review='<review>{"approved": false, "findings": ["greet.mjs:1 an empty name is greeted like a person"]}</review>' ;;
  conflict*) sed -i -e '/^<<<<<<</d' -e '/^=======/d' -e '/^>>>>>>>/d' index.mjs ;; # both lines are wanted
esac

[ "$role" = coder ] || [ "$role" = conflict ] || echo "$review"
printf '%s\n' "$prompt" | sed -n 's/.*\(<promise>[^<]*<\/promise>\).*/\1/p' | tail -n 1
