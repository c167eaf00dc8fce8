// node check.mjs <function> <name> <expected>: checks the result of a function of index.mjs, or the name of the error
// it throws.
const [name, argument, expected] = process.argv.slice(2);
const { [name]: tried } = await import("./index.mjs");
let answer;
try {
  answer = tried(argument);
} catch (error) {
  answer = error.name;
}
console.log(answer);
process.exitCode = answer === expected ? 0 : 1;
