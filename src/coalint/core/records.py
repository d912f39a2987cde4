"""Records: dataclasses that are cheap to define and to make.

Python's `dataclass` writes and compiles a function for each method: of the 0.23 s of a run over one unchanged file, the
methods of some 170 classes took 0.08 s. Here only `__init__` is compiled, when the first one is made, the others are
shared. And a frozen dataclass sets each field through `object.__setattr__`, which took a quarter of the time of an
evaluation. Nothing is lost, since `mypy`, for which `record` is `dataclass`, refuses what would change a field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record

    def as_text(record: object) -> str:
        """Return a record as `dataclass` would write it."""
else:
    from dataclasses import MISSING, dataclass, fields
    from operator import attrgetter
    from reprlib import recursive_repr

    _REPR, _EQ, _HASH = (method.__name__ for method in (object.__repr__, object.__eq__, object.__hash__))
    _INIT, _LATER = object.__init__.__name__, f"__{'post_init'}__"

    def record(cls=None, /, *, frozen=False, eq=True, order=False, unsafe_hash=False, **options):
        """Return a class, or a decorator of classes, with what `dataclass` would add to it.

        What is frozen may be hashed if it is compared by value, as with `dataclass`.
        """

        def made(own):
            given = vars(own)
            explicit = _HASH in given and not (given[_HASH] is None and _EQ in given)
            if order:
                return dataclass(order=True, unsafe_hash=not explicit and (frozen or unsafe_hash), **options)(own)
            named = {name for name in (_REPR, _EQ, _INIT) if name in given}
            own = dataclass(init=False, repr=False, eq=False, **options)(own)
            if _INIT not in named:
                own.__init__ = _written_when_called(own)
                own.__signature__ = _Signature()
            if _REPR not in named:
                own.__repr__ = as_text
            if eq and _EQ not in named:
                own.__eq__ = _equality(_key([f.name for f in fields(own) if f.compare]))
            if eq and not explicit:
                hashed = [f.name for f in fields(own) if (f.compare if f.hash is None else f.hash)]
                own.__hash__ = _hashing(_key(hashed)) if frozen or unsafe_hash else None
            return own

        return made if cls is None else made(cls)

    def _key(names):
        """Return a function that gives a record's values of these fields as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        if not names:
            return lambda _: ()
        value = attrgetter(*names)
        return lambda one: (value(one),)

    def _equality(key):
        def __eq__(self, other):  # noqa: N807 (as the class has it)
            return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

        return __eq__

    def _hashing(key):
        def __hash__(self):  # noqa: N807
            return hash(key(self))

        return __hash__

    def _written_when_called(own):
        """Return an `__init__` that puts the one of a class in its own place when it is first called."""

        def __init__(self, *given, **named):  # noqa: N807
            own.__init__ = _initializer(own)
            own.__init__(self, *given, **named)

        return __init__

    def _initializer(own):
        """Return the `__init__` of a class as `dataclass` would write it."""
        given, keywords, body = ["self"], [], []
        names = {"_made": MISSING}  # stands for what a factory makes
        for field in fields(own):
            name, default, factory = field.name, f"_default_{field.name}", f"_factory_{field.name}"
            names |= {default: field.default, factory: field.default_factory}
            value, shown = name, name
            if field.default is not MISSING:
                shown = f"{name}={default}"
            elif field.default_factory is not MISSING:
                value = f"{factory}() if {name} is _made else {name}"
                shown = f"{name}=_made"
            if field.init:
                (keywords if field.kw_only else given).append(shown)
                body.append(f"self.{name} = {value}")
            elif field.default is not MISSING and getattr(own, name, MISSING) is not field.default:  # which slots lack
                body.append(f"self.{name} = {default}")
            elif field.default_factory is not MISSING:
                body.append(f"self.{name} = {factory}()")
        if hasattr(own, _LATER):
            body.append(f"self.{_LATER}()")
        parameters = [*given, *(["*", *keywords] if keywords else [])]
        exec(f"def {_INIT}({', '.join(parameters)}): {'; '.join(body) or 'pass'}", names)
        written = names[_INIT]
        written.__module__, written.__qualname__ = own.__module__, f"{own.__qualname__}.{_INIT}"
        return written

    class _Signature:
        """What `inspect.signature` shows of a record: its fields, as of a dataclass."""

        def __get__(self, one, own):
            from inspect import Parameter, Signature

            shown = []
            for field in fields(own):
                kind = Parameter.KEYWORD_ONLY if field.kw_only else Parameter.POSITIONAL_OR_KEYWORD
                default = field.default if field.default_factory is MISSING else ...
                default = Parameter.empty if default is MISSING else default
                if field.init:
                    shown.append(Parameter(field.name, kind, default=default, annotation=field.type))
            shown.sort(key=lambda parameter: parameter.kind)
            return Signature(shown, return_annotation=None)

    @recursive_repr()
    def as_text(self):
        """Return a record as `dataclass` would write it."""
        values = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
        return f"{type(self).__qualname__}({', '.join(values)})"


__all__ = ["as_text", "record"]
