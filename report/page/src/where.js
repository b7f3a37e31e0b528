// The language of --where, as far as its words and operators go (github.com/expr-lang/expr is what the command uses):
// comparisons, also in chains, and, or, not, in, contains, startsWith, endsWith, matches, + - * /, parentheses, lists, text, numbers.
const operators = [
  ["or", "||"], ["and", "&&"],
  ["==", "!=", "<", "<=", ">", ">=", "in", "contains", "startsWith", "endsWith", "matches"],
  ["+", "-"], ["*", "/", "%"],
];
const token = /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[<>()[\],!+\-*/%]))/y;

// compile returns a function of the words that reports whether the condition holds; an Error has the mistake.
export function compile(text, words) {
  const tokens = scan(text);
  let at = 0;
  const peek = () => tokens[at] || { text: "", kind: "end" };
  const take = (wanted) => {
    if (peek().text !== wanted) throw new Error(`${wanted} is missing before ${peek().text || "the end"}`);
    at++;
  };

  function level(n) {
    if (n === operators.length) return unary();
    let left = level(n + 1);
    let last = left; // the right side of the comparison before: 1 < minutes < 3 is 1 < minutes and minutes < 3
    for (;;) {
      let op = peek().kind === "text" ? "" : peek().text;
      let negated = false;
      if (n === 2 && op === "not" && operators[2].includes((tokens[at + 1] || {}).text)) {
        negated = true;
        op = tokens[++at].text;
      }
      if (!operators[n].includes(op)) return left;
      at++;
      const right = level(n + 1);
      const test = apply(op, n === 2 ? last : left, right);
      const here = negated ? (v) => !test(v) : test;
      const before = left;
      left = n === 2 && last !== before ? (v) => before(v) && here(v) : here;
      last = right;
    }
  }

  function unary() {
    const { text: op, kind } = peek();
    if (kind !== "text" && (op === "not" || op === "!")) {
      at++;
      const value = unary();
      return (v) => !value(v);
    }
    if (kind === "sign" && op === "-") {
      at++;
      const value = unary();
      return (v) => -value(v);
    }
    return primary();
  }

  function primary() {
    const { text: t, kind } = peek();
    at++;
    if (kind === "number") return () => Number(t);
    if (kind === "text") return () => t;
    if (kind === "sign" && t === "(") {
      const inner = level(0);
      take(")");
      return inner;
    }
    if (kind === "sign" && t === "[") {
      const items = [];
      while (peek().text !== "]" || peek().kind === "text") {
        items.push(level(0));
        if (peek().text !== "]") take(",");
      }
      take("]");
      return (v) => items.map((item) => item(v));
    }
    if (kind === "word" && (t === "true" || t === "false")) return () => t === "true";
    if (kind === "word" && words.includes(t)) return (v) => v[t];
    throw new Error(kind === "end" ? "the condition ends too early" : `unknown: ${t}`);
  }

  const condition = level(0);
  if (at < tokens.length) throw new Error(`what is ${peek().text}?`);
  return (v) => {
    const holds = condition(v);
    if (typeof holds !== "boolean") throw new Error("the condition must be true or false: count > 0");
    return holds;
  };
}

function scan(text) {
  const tokens = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const from = token.lastIndex;
    const m = token.exec(text);
    if (!m) throw new Error(`what is ${text.slice(from).trim().slice(0, 12)}?`);
    if (m[1] !== undefined) tokens.push({ kind: "number", text: m[1] });
    else if (m[2] !== undefined) tokens.push({ kind: "text", text: m[2].slice(1, -1).replace(/\\(.)/g, "$1") });
    else if (m[3] !== undefined) tokens.push({ kind: "word", text: m[3] });
    else tokens.push({ kind: "sign", text: m[4] });
  }
  return tokens;
}

// apply holds for a word of many values (function, package, label) where it holds for one of them.
function apply(op, left, right) {
  if (op === "or" || op === "||") return (v) => left(v) || right(v);
  if (op === "and" || op === "&&") return (v) => left(v) && right(v);
  const member = op === "in"; // a list as a whole is on its right side
  const one = (a, b) => {
    switch (op) {
      case "==": return a === b;
      case "!=": return a !== b;
      case "<": return a < b;
      case "<=": return a <= b;
      case ">": return a > b;
      case ">=": return a >= b;
      case "in": return b instanceof Set ? b.has(a) : Array.isArray(b) && b.includes(a);
      case "contains": return String(a).includes(b);
      case "startsWith": return String(a).startsWith(b);
      case "endsWith": return String(a).endsWith(b);
      case "matches": return new RegExp(b.replace(/^\(\?i\)/, ""), b.startsWith("(?i)") ? "i" : "").test(String(a));
      case "+": return a + b;
      case "-": return a - b;
      case "*": return a * b;
      case "/": return a / b;
      default: return a % b;
    }
  };
  return (v) => {
    const a = left(v);
    const b = right(v);
    if (!(a instanceof Set) || member) return one(a, b);
    return op === "!=" ? !a.has(b) : [...a].some((each) => one(each, b));
  };
}
