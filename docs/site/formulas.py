"""Formulas of the documentation as MathML, which browsers draw without a script and without a network.

On the pages of theory and in tutorials formulas are indented blocks of plain text, which can be read in any editor:
x_(n+1) = x_n + h v, sqrt(k m), δ^{3/2}, rho, mᵢ. The site shows them typeset. A paragraph that is a numbered formula,
such as "(8) e = exp(−ζ/w)", is one, too, if it has next to no words. Code between fences stays as it is.
"""
import html
import re

GREEK = dict(zip("alpha beta gamma delta epsilon zeta theta lambda mu nu rho sigma tau phi omega".split(), "αβγδεζθλμνρστφω"))
FUNCTIONS = set("sin cos tan atan atan2 exp ln log min max clamp sign argmin mean trace sum".split())
SHORT = set("of so at to if is by or in on as no be and all for the".split())  # other short words are quantities: dt, dV
LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+−aehijklmnoprstuvx"))
HIGH = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱᵏᵐⁿᵀ", "0123456789+−()ikmnT"))
OPERATORS = {"<=": "≤", ">=": "≥", "-": "−", "·": "·", "'": "′"}
TOKEN = re.compile(r"\s+|\d+(?:\.\d+)?|<=|>=|[A-Za-z]+\d*(?=\()|(?:[^\W\d_][\u0300-\u036f]?)+|.", re.S)
LETTER = re.compile(r"[^\W\d_]")


def mo(sign):
    return '<mo stretchy="false">%s</mo>' % html.escape(OPERATORS.get(sign, sign), quote=False)


def row(parts):
    return parts[0] if len(parts) == 1 else "<mrow>%s</mrow>" % "".join(parts)


class Reader:
    """One line of a formula, token by token."""

    def __init__(self, text):
        text = re.sub(r"\*\*(\w)\*\*", "\ufdd0\\1", text)  # a bold letter is a vector
        self.tokens = []
        for token in TOKEN.findall(text):
            self.tokens += self.parts(token)
        self.at = 0

    @staticmethod
    def parts(token):
        """Scripts of Unicode are letters: mᵢ is m and its index."""
        return re.findall("[%s]+|[%s]+|[^%s%s]+" % (("".join(LOW), "".join(HIGH)) * 2), token)

    def now(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def group(self, end):
        """All up to the bracket that closes, which goes with it."""
        parts = []
        while self.now() and self.now() != end:
            parts.append(self.scripted())
        self.take()
        return row(parts or ["<mrow></mrow>"])

    def argument(self):
        """What stands after _ and ^, and below a root."""
        first = self.take()
        if first in "({" and first:
            return self.group(")" if first == "(" else "}")
        if first in "-−":
            return row([mo(first), self.argument()])
        shown = self.atom(first, short=False)
        while self.now() in ("'", "′"):
            shown = "<msup>%s%s</msup>" % (shown, mo(self.take()))
        return shown

    def atom(self, token, short=True):
        if token == "\ufdd0":
            return '<mi mathvariant="bold" class="vector">%s</mi>' % html.escape(self.take())
        if token == "√" or (token == "sqrt" and self.now() == "("):
            return "<msqrt>%s</msqrt>" % self.argument()
        if token in ("(", "[") and short:
            end = ")" if token == "(" else "]"
            return "<mrow>%s%s%s</mrow>" % (mo(token), self.group(end), mo(end))
        if re.match(r"\d", token):
            return "<mn>%s</mn>" % token
        if token in GREEK:
            return "<mi>%s</mi>" % GREEK[token]
        if not LETTER.match(token):
            return mo(token)
        if short and token not in FUNCTIONS and (token in SHORT or len(token) > 2):
            return "<mtext>%s</mtext>" % self.words(token)
        return "<mi>%s</mi>" % html.escape(token)

    def words(self, said):
        """Prose, with the spaces between its words."""
        while re.match(r" +$", self.now()) and self.at + 1 < len(self.tokens):
            word = self.tokens[self.at + 1]
            if not (word in SHORT or (word.isalpha() and len(word) > 2)) or word in FUNCTIONS or word in GREEK:
                break
            self.take()
            said += " " + self.take()
        return html.escape(said) + ("\u00a0" if self.now().isspace() else "")

    def scripted(self):
        """A token with what is above and below it."""
        token = self.take()
        if token.isspace():
            return '<mspace width="%s"></mspace>' % ("2em" if len(token) > 2 else "0.2em")
        shown, low, high = self.atom(token), "", ""
        closed = bool(LETTER.match(token)) or token in "([\ufdd0"
        if len(token) == 1 and LETTER.match(token) and self.now().isdigit() and self.now()[0] not in LOW and self.now()[0] not in HIGH:
            low = "<mn>%s</mn>" % self.take()  # e1 is e with the index 1
        while True:
            sign = self.now()
            if sign == "_":
                self.take()
                low += self.argument()
            elif sign == "^":
                self.take()
                high += self.argument()
            elif sign and sign[0] in LOW:
                low += "<mtext>%s</mtext>" % "".join(LOW[c] for c in self.take())
            elif sign and sign[0] in HIGH:
                high += "<mtext>%s</mtext>" % "".join(HIGH[c] for c in self.take())
            elif sign in ("'", "′") or (sign == "*" and closed):
                high += mo(self.take())
            else:
                break
        if low and high:
            return "<msubsup>%s<mrow>%s</mrow><mrow>%s</mrow></msubsup>" % (shown, low, high)
        if low or high:
            return "<%s>%s<mrow>%s</mrow></%s>" % ("msub" if low else "msup", shown, low or high, "msub" if low else "msup")
        return shown


def mathml(line):
    """One line of plain text as MathML. The text itself stays with it, for screen readers."""
    reader, parts = Reader(line.strip()), []
    while reader.now():
        parts.append(reader.scripted())
    return '<math display="block" alttext="%s"><mrow>%s</mrow></math>' % (html.escape(line.strip()), "".join(parts))


def block(lines):
    return '<div class="formula">%s</div>' % "".join(mathml(line) for line in lines)


def is_numbered(lines):
    """Whether a paragraph is a formula with its number, and no text."""
    text = " ".join(lines)
    words = [w for w in re.findall(r"[A-Za-z]{3,}", text) if w not in FUNCTIONS and w not in GREEK and w != "sqrt"]
    return bool(re.match(r"\(\d+\) ", text)) and "=" in text and "`" not in text and "](" not in text and len(words) < 3


def typeset(source):
    """A page with its formulas as MathML."""
    found, fence = [], False
    for part in re.split(r"\n[ \t]*\n", source):
        lines = [line for line in part.split("\n") if line.strip()]
        marks = sum(bool(re.match(r"\s*```", line)) for line in lines)
        indented = lines and all(re.match(r"    \S|    +", line) for line in lines)
        listed = found and re.match(r"\s*([-*]|\d+\.) |  +\S", found[-1])
        if not fence and not marks and indented and not listed:
            part = block(lines)
        elif not fence and not marks and is_numbered(lines):
            part = block([" ".join(lines)])
        fence ^= marks % 2 == 1
        found.append(part)
    return "\n\n".join(found)
