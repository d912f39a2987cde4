"""The source text that declares undeclared names, so that what uses them can be parsed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from coalint.frontend.cuda.repair.scopes import NUMBERS, SPACE, Scope, ScopeKind

_HD = "__attribute__((host)) __attribute__((device))"
_COMPOUND = "+ - * / %% & | ^ << >>".split()
# Functions that numbers of several types have: without one for `any` a call is ambiguous.
_OF_TWO = "min max pow fmin fmax fmod fdim hypot atan2 copysign remainder".split()
_OF_ONE = (
    "abs fabs sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh"
    " acosh atanh sinpi cospi floor ceil round trunc rint nearbyint erf erfc tgamma lgamma isnan isinf isfinite signbit"
).split()

ANY_TEXT = (
    f"""namespace {SPACE} {{
struct any;
struct any_value;
extern __attribute__((device)) int number;
template <bool b_, class T_> struct only {{}};
template <class T_> struct only<true, T_> {{ typedef T_ type; }};
struct any {{
    any() = default;
    template <class F_, class... A_> {_HD} any(F_&&, A_&&...);
    template <class T_> {_HD} operator T_() const;
    {_HD} operator int() const;
    template <class I_> {_HD} any_value& operator[](I_&&) const;
    template <class... A_> {_HD} any_value operator()(A_&&...) const;
    {_HD} any_value& operator*() const;
    {_HD} any* operator->() const;
    {_HD} any& operator++();
    {_HD} any& operator--();
    {_HD} any_value operator++(int);
    {_HD} any_value operator--(int);
    {_HD} any_value operator+() const;
    {_HD} any_value operator-() const;
    {_HD} any_value operator~() const;
    {_HD} bool operator!() const;
    template <class V_> {_HD} any& operator=(V_&&);
"""
    + "".join(f"    template <class V_> {_HD} any& operator{sign}=(V_&&);\n" for sign in _COMPOUND)
    + f"""%s}};
struct any_value : any {{
    any_value() = default;
    template <class F_> explicit {_HD} any_value(F_&&);
    using any::operator=;
}};
"""
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<(__is_base_of(any, A_) || __is_base_of(any, B_)){but}, "
        f"{result}>::type operator{sign}(const A_&, const B_&);\n"
        for result, signs, but in (
            ("any_value", "+", " && !__is_pointer(A_) && !__is_array(A_) && !__is_pointer(B_) && !__is_array(B_)"),
            ("any_value", "- * / %% & | ^ << >>", ""),
            ("bool", "< > <= >= == !=", ""),
        )
        for sign in signs.split()
    )
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<!__is_base_of(any, A_) && !__is_pointer(A_) && "
        f"__is_base_of(any, B_), A_&>::type operator{sign}=(A_&, const B_&);\n"
        for sign in _COMPOUND
    )
    + "".join(
        f"template <class A_, class B_> {_HD} typename only<__is_base_of(any, A_) || __is_base_of(any, B_), "
        f"any_value>::type {name}(const A_&, const B_&);\n"
        for name in _OF_TWO
    )
    + "".join(
        f"template <class A_> {_HD} typename only<__is_base_of(any, A_), any_value>::type {name}(const A_&);\n"
        for name in _OF_ONE
    )
    + "%s}"
)


def _structure(name: str) -> str:
    short = name.rpartition("::")[2]
    return (
        f"struct {name} : {SPACE}::any {{ {short}() = default; template <class F_, class... A_> {_HD} "
        f"{short}(F_&&, A_&&...); using {SPACE}::any::operator=; }};"
    )


def _functions(name: str, kind: ScopeKind, before: str = "") -> list[str]:
    heads = ["class... A_"]
    if kind is ScopeKind.FUNCTION_TEMPLATE:
        heads = [
            "class T_, class... U_, class... A_",
            "auto v_, auto... w_, class... A_",
            "class T_, auto v_, auto... w_, class... A_",
            "class T_, class U_, auto v_, auto... w_, class... A_",
        ]
    return [f"template <{head}> {before}{_HD} {SPACE}::any_value {name}(A_&&...);" for head in heads]


def members_text(members: dict[str, ScopeKind]) -> tuple[str, str]:
    """Return the members of `any` inside of its braces, and what can only stand after them."""
    inside, behind = [], []
    for name, kind in sorted(members.items()):
        if kind in (ScopeKind.TYPE, ScopeKind.TEMPLATE, ScopeKind.NAMESPACE):
            head = "template <class...> " if kind is ScopeKind.TEMPLATE else ""
            inside.append(f"    {head}struct {name};")
            behind.append(f"{head}{_structure(f'any::{name}')}")
        elif kind in (ScopeKind.FUNCTION, ScopeKind.FUNCTION_TEMPLATE):
            inside.extend(f"    {line}" for line in _functions(name, kind, "static "))
        else:
            inside.append(f"    static __attribute__((device)) any_value {name};")
    return "".join(f"{line}\n" for line in inside), "".join(f"{line}\n" for line in behind)


def declarations_text(scope: Scope, owned: Mapping[str, Collection[str]]) -> list[str]:
    """Return the lines that declare the names of a scope; `owned` are the enumerators of its enumerations."""
    lines = []
    for name, (kind, parameters) in sorted(scope.names.items()):
        if kind is ScopeKind.VALUE:
            lines.append(f"extern __attribute__((device)) int {name};")
        elif kind is ScopeKind.OBJECT:
            lines.append(f"extern __attribute__((device)) {SPACE}::any_value {name};")
        elif kind is ScopeKind.TYPE:
            lines.append(f"typedef {NUMBERS[name]} {name};" if name in NUMBERS else _structure(name))
        elif kind is ScopeKind.ENUM:
            lines.append(f"enum class {name} : int {{ {', '.join(sorted(owned.get(name, ())))} }};")
        elif kind is ScopeKind.TEMPLATE:
            lines.append(f"template <{parameters or 'class...'}> {_structure(name)}")
        else:
            lines.extend(_functions(name, kind))
    for name, inner in sorted(scope.inner.items()):
        lines.extend([f"namespace {name} {{", *declarations_text(inner, owned), "}"])
    return lines
